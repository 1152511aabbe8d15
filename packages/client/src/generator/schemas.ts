import { componentsOf, type Document, endpointsOf, type Schema } from "./document.ts";
import { errorsOf } from "./errors.ts";
import { hasScenario, SCENARIO } from "./scenarios.ts";
import { commentOf, typeOf } from "./types.ts";

/** Where each type is defined: the file of words, or one of the first tag that needs it. */
export type Homes = ReadonlyMap<string, string>;

export function findHomes(document: Document): Homes {
  const homes = new Map<string, string>();
  for (const { operation } of endpointsOf(document)) {
    const [tag = ""] = operation.tags;
    const settle = (used: Iterable<string>, part: string) => {
      for (const name of used) if (!homes.has(name)) homes.set(name, homeOf(name, tag, part, document));
    };
    settle(componentsOf(operation.requestBody, document), "-requests");
    settle(componentsOf(answersOf(operation.responses), document), "");
  }
  // Receivers of webhooks have types of what they are sent.
  for (const { post } of Object.values(document.webhooks))
    for (const name of componentsOf(post.requestBody, document))
      if (!homes.has(name)) homes.set(name, homeOf(name, "webhooks", "", document));
  for (const name of homes.keys()) if (isEnvelope(name)) homes.delete(name);
  for (const { details } of errorsOf(document)) {
    for (const name of componentsOf(details, document)) if (!homes.has(name)) homes.set(name, "errors");
  }
  return withParts(homes, document);
}

/** A file of more types than this has a second one, of those that the others are made of. Words are a few lines each. */
const TYPES_MAX = 24;

function withParts(homes: Homes, document: Document): Homes {
  const inside = new Set(
    [...homes.keys()].flatMap((name) => [...componentsOf(document.components.schemas[name], document)]),
  );
  const crowded = new Set(
    [...Map.groupBy(homes.values(), (home) => home)].flatMap(([home, all]) =>
      all.length > TYPES_MAX && home !== WORDS ? [home] : [],
    ),
  );
  return new Map(
    [...homes].map(([name, home]) => [name, crowded.has(home) && inside.has(name) ? `${home}-parts` : home]),
  );
}

const WORDS = "words";

function homeOf(name: string, tag: string, part: string, { components }: Document): string {
  if (components.schemas[name]?.enum !== undefined) return WORDS;
  return `${tag}${families.find(({ has }) => has.test(name))?.home ?? part}`;
}

/** Types that stand in a file of their own, by their names. */
const families = [
  { has: /Selection$/, home: "-selections" },
  { has: /^Preview/, home: "-previews" },
  { has: /^(ConnectorPayment|Payout|TransactionBankDetails)$/, home: "-deposits" },
] as const;

/** Pages, envelopes and forms have no types of their own: methods say what is in them. */
const isEnvelope = (name: string): boolean => /(Answer|Page|Form)$/.test(name);

const answersOf = (responses: Readonly<Record<string, unknown>>): unknown =>
  Object.entries(responses).flatMap(([status, response]) => (status < "300" ? [response] : []));

/** The files of types by their names, each behind what else is to stand in it. */
export function writeSchemas(document: Document, homes: Homes, first: Readonly<Record<string, string>>) {
  const known = [...homes.keys()].filter((name) => name in document.components.schemas);
  const files = Map.groupBy(known, (name) => homes.get(name) ?? "");
  return Object.fromEntries(
    [...files].map(([home, names]) => {
      const types = names.map((name) => writeType(name, document.components.schemas[name] ?? {}));
      const text = [...(first[home] === undefined ? [] : [first[home]]), ...types].join("\n");
      return [`schemas/${home}.ts`, importsFor(text, homes, home) + text];
    }),
  );
}

function writeType(name: string, schema: Schema): string {
  const doc = schema.description === undefined ? "" : commentOf([schema.description]);
  // A selection has the fields of its item, which is where they are described.
  const text = typeOf(schema, "", !name.endsWith("Selection"));
  const narrowed = hasScenario(name) ? `${text} & ${SCENARIO}` : text;
  return `${doc}export type ${name} =${text.startsWith("\n") ? "" : " "}${narrowed};\n`;
}

/** The imports of the types that a text uses. */
export function importsFor(text: string, homes: Homes, home: string, folder = "./"): string {
  const code = text.replace(/\/\*\*[\s\S]*?\*\/|"[^"\n]*"/g, "");
  const used = [...new Set(code.match(/\b[A-Z]\w+/g) ?? [])].filter(
    (name) => homes.has(name) && homes.get(name) !== home,
  );
  const byHome = Map.groupBy(used.toSorted(), (name) => homes.get(name) ?? "");
  const lines = [...byHome].toSorted().map(([from, names]) => {
    const place = JSON.stringify(`${folder}${from}.ts`);
    const line = `import type { ${names.join(", ")} } from ${place};\n`;
    return line.length <= 121 ? line : line.replace("{ ", "{\n  ").replaceAll(", ", ",\n  ").replace(" }", ",\n}");
  });
  return lines.length === 0 ? "" : `${lines.join("")}\n`;
}
