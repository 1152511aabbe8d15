import { refOf, type Schema } from "./document.ts";

const LINE_MAX = 120;

/** The TypeScript of a schema; `shows` says whether the fields of objects get their descriptions. */
export function typeOf(schema: Schema, indent = "", shows = true): string {
  const name = refOf(schema);
  if (name !== undefined) return name;
  if (schema.contentSchema !== undefined) return typeOf(schema.contentSchema, indent, shows);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return unionOf(choices.map((choice) => typeOf(choice, indent, shows)));
  if (schema.enum !== undefined) return isFlag(schema.enum) ? "boolean" : wordsOf(schema.enum, indent);
  if (typeof schema.type === "object") {
    return unionOf(schema.type.map((type) => typeOf({ ...schema, type }, indent, shows)));
  }
  return plainTypeOf(schema, indent, shows);
}

function plainTypeOf(schema: Schema, indent: string, shows: boolean): string {
  switch (schema.type) {
    case "integer":
      return "number";
    case "array": {
      const item = typeOf(schema.items ?? {}, indent, shows);
      return `readonly ${item.includes(" | ") && !item.startsWith("{") ? `(${item})` : item}[]`;
    }
    case "object":
      return schema.properties === undefined ? recordOf(schema, indent, shows) : objectOf(schema, indent, shows);
    case "string":
      return schema.format === "binary" ? "Upload" : "string";
    case "number":
    case "boolean":
    case "null":
      return schema.type;
    default:
      return "unknown";
  }
}

/** An object whose keys callers choose. */
function recordOf({ additionalProperties: value }: Schema, indent: string, shows: boolean): string {
  const isTyped = typeof value === "object" && value !== null;
  return `Readonly<Record<string, ${isTyped ? typeOf(value as Schema, indent, shows) : "unknown"}>>`;
}

function objectOf({ properties = {}, required = [] }: Schema, indent: string, shows: boolean): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? "" : "?";
    const text = `${name}${mark}: ${typeOf(field, inner, shows)};\n`.replace(": \n", ":\n");
    return inner + (shows && field.description !== undefined ? described(field.description, text, inner) : text);
  });
  if (fields.length === 0) return "Readonly<Record<string, unknown>>";
  return `{\n${fields.join("")}${indent}}`;
}

/** A field behind its description, in one line where both fit. */
function described(description: string, text: string, indent: string): string {
  const doc = commentOf([description], indent).trim();
  const [first = ""] = text.split("\n");
  return indent.length + doc.length + first.length < LINE_MAX && !doc.includes("\n")
    ? `${doc} ${text}`
    : `${doc}\n${indent}${text}`;
}

const unionOf = (types: readonly string[]): string => [...new Set(types)].join(" | ");

/** Headers know no booleans: these two words are one. */
const isFlag = (words: readonly unknown[]): boolean => words.join() === "true,false";

/** The words of a closed vocabulary, in as many lines as they take. */
function wordsOf(words: readonly unknown[], indent: string): string {
  const all = words.map((word) => JSON.stringify(word));
  const line = all.join(" | ");
  if (line.length < 60) return line;
  return all.reduce((text, word) => {
    const last = text.slice(text.lastIndexOf("\n") + 1);
    const fits = last !== "" && last.length + word.length + 3 < LINE_MAX;
    return fits ? `${text} | ${word}` : `${text}\n${indent}  | ${word}`;
  }, "");
}

/** Paragraphs as a comment, wrapped. */
export function commentOf(paragraphs: readonly string[], indent = ""): string {
  const texts = paragraphs.map((paragraph) => paragraph.replaceAll("*/", "*\\/").replaceAll("\n", " "));
  const [first = ""] = texts;
  if (texts.length === 1 && indent.length + first.length + 7 <= LINE_MAX) return `${indent}/** ${first} */\n`;
  const lines = texts.flatMap((paragraph, index) => [
    ...(index > 0 ? [""] : []),
    ...wrap(paragraph, indent.length + 3),
  ]);
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`, ""].join("\n");
}

function wrap(text: string, taken: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && taken + last.length + 1 + word.length <= LINE_MAX)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
