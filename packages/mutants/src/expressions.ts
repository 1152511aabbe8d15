/** Splits at a separator that stands outside all brackets. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  for (const part of text.split(separator)) {
    parts.push(depth > 0 ? `${parts.pop()}${separator}${part}` : part);
    depth += part.split(/[({]/).length - part.split(/[)}]/).length;
  }
  return parts;
}

const replaceEach = (parts: readonly string[], separator: string, change: (part: string) => readonly string[]) =>
  parts.flatMap((part, index) => change(part).map((changed) => parts.with(index, changed).join(separator)));

const operators: Readonly<Record<string, string>> = { "=": "<>", "<": "<=", "<=": "<", ">": ">=", ">=": ">" };

/** A clause that always holds, and one with another meaning. Both name what the clause names, as DynamoDB demands. */
function changeClause(clause: string): string[] {
  if (clause.startsWith("(") && clause.endsWith(")")) {
    return [always(clause), ...changeCondition(clause.slice(1, -1)).map((changed) => `(${changed})`)];
  }
  const compared = / (=|<|<=|>|>=) /.exec(clause)?.[1];
  const otherwise =
    compared === undefined
      ? clause.replace(/^attribute_(not_)?exists/, (name) =>
          name === "attribute_exists" ? "attribute_not_exists" : "attribute_exists",
        )
      : clause.replace(` ${compared} `, ` ${operators[compared]} `);
  return otherwise === clause ? [always(clause)] : [always(clause), otherwise];
}

const always = (clause: string): string => `(${clause} OR NOT ${clause})`;
const never = (clause: string): string => `(${clause} AND NOT ${clause})`;

/** A ConditionExpression without one of its clauses, or with one clause changed. */
function changeCondition(text: string): string[] {
  const either = split(text, " OR ");
  if (either.length > 1) return replaceEach(either, " OR ", (clause) => [never(clause), ...changeClause(clause)]);
  return replaceEach(split(text, " AND "), " AND ", changeClause);
}

/** An UpdateExpression that writes one of its values to another place, or does not remove one. */
function changeUpdate(text: string): string[] {
  const sections = text.split(/ (?=(?:SET|ADD|REMOVE) )/);
  return replaceEach(sections, " ", (section) => {
    const [verb = "", ...rest] = section.split(" ");
    return replaceEach(split(rest.join(" "), ", "), ", ", (clause) => {
      const [target = "", value = ""] = clause.split(verb === "SET" ? " = " : " ");
      if (verb !== "SET") return [`mutant ${value}`.trim()];
      // DynamoDB demands that every placeholder of a name is used.
      const isUsed = !target.startsWith("#") || value.includes(target);
      return [`mutant = ${isUsed ? value : `if_not_exists(${target}, ${value})`}`];
    }).map((clauses) => `${verb} ${clauses}`);
  });
}

/** The mutants of a string if it is an expression of DynamoDB, else undefined. */
export function changeExpression(text: string, property: string | undefined): string[] | undefined {
  if (property === "KeyConditionExpression") return [];
  if (/^(SET|ADD|REMOVE) /.test(text)) return changeUpdate(text);
  if (property === "ConditionExpression" || /^attribute_(not_)?exists\(/.test(text)) return changeCondition(text);
  return undefined;
}
