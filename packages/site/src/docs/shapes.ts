import type { OpenApi, Schema } from "./openapi.ts";

/** A field as a page tells it; `id` is its place there. */
export type Field = Readonly<{
  id: string;
  name: string;
  type: string;
  isOptional: boolean;
  description: string | undefined;
  /** Its bounds, in words. */
  bounds: readonly string[];
  /** All its values, if there are few. */
  values: readonly string[];
  /** The fields that it has itself. */
  inside: Shape | undefined;
}>;

/** A schema with fields as a page tells it: whole where it comes first, and only led to from then on. */
export type Shape = Readonly<
  | { kind: "fields"; id: string | undefined; fields: readonly Field[] }
  | { kind: "forms"; id: string | undefined; forms: readonly Readonly<{ title: string; shape: Shape }>[] }
  | { kind: "told"; id: string }
>;

/** All fields of a shape that a page tells there, whatever they are inside of. */
export function fieldsIn(shape: Shape | undefined): Field[] {
  if (shape === undefined || shape.kind === "told") return [];
  if (shape.kind === "forms") return shape.forms.flatMap((form) => fieldsIn(form.shape));
  return shape.fields.flatMap((field) => [field, ...fieldsIn(field.inside)]);
}

/**
 * Reads the schemas of one page in the order in which it tells them. A schema has the place of its name, which is told
 * once, or, where it has none, `place`.
 */
export function openShapes(document: OpenApi): (schema: Schema, place: string) => Shape {
  const seen = new Set<string>();
  const toShape = (schema: Schema, above: string): Shape => {
    const { known, names } = resolve(document, schema);
    const repeated = names.find((name) => seen.has(name));
    if (repeated !== undefined) return { kind: "told", id: repeated };
    for (const name of names) seen.add(name);
    const [id] = names;
    const place = id ?? above;
    const parts = known.anyOf ?? known.oneOf;
    if (parts !== undefined) {
      const forms = parts
        .filter(isDeep(document))
        .map((part, index) => ({
          title: nameOf(part) ?? `form ${index + 1}`,
          shape: toShape(part, `${place}.${index + 1}`),
        }));
      return { kind: "forms", id, forms };
    }
    if (known.items !== undefined) return toShape(known.items, place);
    const fields = Object.entries(known.properties ?? {}).map(([name, field]) =>
      toField(field, { name, place: `${place}.${name}`, isOptional: known.required?.includes(name) !== true }),
    );
    return { kind: "fields", id, fields };
  };
  const toField = (
    schema: Schema,
    { name, place, isOptional }: Readonly<{ name: string; place: string; isOptional: boolean }>,
  ): Field => {
    const { known } = resolve(document, schema);
    return {
      id: place,
      name,
      isOptional,
      type: typeOf(document, schema),
      description: schema.description ?? known.description,
      bounds: boundsOf(known),
      values: valuesOf(known),
      inside: isDeep(document)(schema) ? toShape(schema, place) : undefined,
    };
  };
  return toShape;
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

/** Longer enumerations are vocabularies of ISO, which nobody reads here. */
const VALUES_MAX = 40;

const valuesOf = ({ const: only, enum: values = only === undefined ? [] : [only] }: Schema): string[] =>
  values.length > VALUES_MAX ? [] : values.map(String);

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
