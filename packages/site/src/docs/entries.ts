import type { Group } from "./calls.ts";
import type { Guide } from "./guides.ts";
import type { Endpoint } from "./openapi.ts";
import { fieldsIn } from "./shapes.ts";

/** Something that a search finds: where it leads, what it is a part of, and the text that it has there. */
export type Entry = readonly [title: string, href: string, place: string, text: string];

/** Everything that can be searched for: sections of guides, calls, and fields. */
export function toEntries({
  guides,
  groups,
}: Readonly<{ guides: readonly Guide[]; groups: readonly Group[] }>): Entry[] {
  // Search finds a text that several places repeat only at its first place.
  const first = new Map<string, Entry>();
  for (const entry of [...guides.flatMap(ofGuide), ...groups.flatMap(ofGroup)]) {
    const [title, , , text] = entry;
    const said = JSON.stringify([title, text]);
    if (!first.has(said)) first.set(said, entry);
  }
  return [...first.values()];
}

const ofGuide = ({ name, title, sections }: Guide): Entry[] =>
  sections.map((section) => [
    section.title,
    section.isFirst ? name : `${name}#${section.id}`,
    section.isFirst ? "Guide" : title,
    section.text,
  ]);

const ofGroup = ({ name, page, calls }: Group): Entry[] =>
  calls.flatMap(({ body, success, ...endpoint }): Entry[] => [
    [`${endpoint.method} ${endpoint.path}`, `${page}#${endpoint.operation.operationId}`, name, textOf(endpoint)],
    ...[...fieldsIn(body?.shape), ...fieldsIn(success?.shape)].map(
      ({ id, name: field, description = "", values }): Entry => [
        field,
        `${page}#${id}`,
        id.split(".").slice(0, -1).join("."),
        plain([description, ...values].join(" ")),
      ],
    ),
  ]);

function textOf({ operation }: Endpoint): string {
  const { operationId, summary, description, parameters = [], responses } = operation;
  const said = parameters.map((parameter) => `${parameter.name}: ${parameter.description ?? ""}`);
  const codes = Object.values(responses).flatMap((response) => response.description.match(/\[[A-Z]{3}\d{4}\]/g) ?? []);
  return plain([summary, description, ...said, operationId, ...new Set(codes)].join(" "));
}

const plain = (text: string): string => text.replaceAll("`", "").replaceAll(/\s+/g, " ").trim();
