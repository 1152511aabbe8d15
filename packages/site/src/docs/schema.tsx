import type { ComponentChildren } from "preact";
import type { OpenApi, Schema } from "./openapi.ts";
import { Text } from "./text.tsx";

/** A page of the reference in the making. */
export type Telling = Readonly<{
  document: OpenApi;
  /** The shapes that the page tells already, which it only leads to from then on. */
  told: Set<string>;
}>;

/** The fields of a schema as a list, each with its type, its bounds and what it means; nested ones open by a click. */
export function Fields({ telling, schema }: Readonly<{ telling: Telling; schema: Schema }>) {
  const { known, names } = resolve(telling.document, schema);
  const again = names.find((name) => telling.told.has(name));
  if (again !== undefined)
    return (
      <p class="hint">
        As <a href={`#${again}`}>{again}</a>.
      </p>
    );
  for (const name of names) telling.told.add(name);
  const parts = known.anyOf ?? known.oneOf;
  const [id] = names;
  if (parts !== undefined)
    return (
      <div class="fields" id={id}>
        {parts.filter(isDeep(telling.document)).map((part, index) => (
          <Nested key={index} title={`one of: ${nameOf(part) ?? `form ${index + 1}`}`}>
            <Fields telling={telling} schema={part} />
          </Nested>
        ))}
      </div>
    );
  if (known.items !== undefined) return <Fields telling={telling} schema={known.items} />;
  return (
    <ul class="fields" id={id}>
      {Object.entries(known.properties ?? {}).map(([name, field]) => (
        <li key={name}>
          <p>
            <code>{name}</code> <span class="type">{typeOf(telling.document, field)}</span>
            {known.required?.includes(name) ? null : <span class="optional"> optional</span>}
          </p>
          <Meaning document={telling.document} schema={field} />
          {isDeep(telling.document)(field) && (
            <Nested title={`fields of ${name}`}>
              <Fields telling={telling} schema={field} />
            </Nested>
          )}
        </li>
      ))}
    </ul>
  );
}

const Nested = ({ title, children }: Readonly<{ title: string; children: ComponentChildren }>) => (
  <details>
    <summary>{title}</summary>
    {children}
  </details>
);

/** Longer enumerations are vocabularies of ISO, which nobody reads here. */
const VALUES_MAX = 40;

function Meaning({ document, schema }: Readonly<{ document: OpenApi; schema: Schema }>) {
  const { known } = resolve(document, schema);
  const description = schema.description ?? known.description;
  const values = valuesOf(known);
  const bounds = boundsOf(known);
  return (
    <>
      {description !== undefined && (
        <p class="hint">
          <Text text={description} />
        </p>
      )}
      {bounds.length > 0 && <p class="hint">{bounds.join(", ")}</p>}
      {values.length > 1 && values.length <= VALUES_MAX && (
        <p class="hint">
          {values.map((value) => (
            <>
              <code>{value}</code>{" "}
            </>
          ))}
        </p>
      )}
    </>
  );
}

/** The schema that a reference leads to, and the names on the way. */
function resolve(document: OpenApi, schema: Schema) {
  let known = schema;
  const names: string[] = [];
  for (let name = nameOf(known); name !== undefined && !names.includes(name); name = nameOf(known)) {
    names.push(name);
    known = document.components.schemas[name] ?? {};
  }
  return { known, names };
}

const nameOf = ({ $ref }: Schema): string | undefined => $ref?.split("/").at(-1);

/** Whether a schema has fields. */
const isDeep =
  (document: OpenApi) =>
  (schema: Schema): boolean => {
    const { known } = resolve(document, schema);
    if (known.items !== undefined) return isDeep(document)(known.items);
    return known.properties !== undefined || (known.anyOf ?? known.oneOf ?? []).some(isDeep(document));
  };

export function typeOf(document: OpenApi, schema: Schema): string {
  const { known } = resolve(document, schema);
  if (known.items !== undefined) return `list of ${typeOf(document, known.items)}`;
  const parts = known.anyOf ?? known.oneOf;
  if (parts !== undefined) return [...new Set(parts.map((part) => typeOf(document, part)))].join(" or ");
  if (known.const !== undefined) return JSON.stringify(known.const);
  return [known.format ?? known.type ?? "any"].flat().join(" or ");
}

const valuesOf = ({ enum: values = [] }: Schema): string[] => values.map(String);

function boundsOf({ minimum, maximum, minLength, maxLength }: Schema): string[] {
  const text = (value: number | undefined, word: string) => (value === undefined ? [] : [`${word} ${value}`]);
  const huge = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  return [
    ...text(minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum, "at least"),
    ...text(huge, "at most"),
    ...text(minLength === 0 || minLength === 1 ? undefined : minLength, "characters: at least"),
    ...text(maxLength, "characters: at most"),
  ];
}
