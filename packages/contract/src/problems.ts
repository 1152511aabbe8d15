import type * as z from "zod";

/** A problem for machines: the dotted path of what is wrong, and why it is. */
export type ShapeProblem = Readonly<{ path: string; reason: string }>;

/** An answer tells at most this many problems: one that nobody reads to its end need not be larger. */
const PROBLEMS_MAX = 100;
const NAME_MAX = 100;

/** A caller's own name for something, as problems tell it: short, and in one word, so that paths end with a space. */
export const toWord = (name: string): string => {
  const word = name.replace(/\s/g, encodeURIComponent);
  return word.length > NAME_MAX ? `${word.slice(0, NAME_MAX)}…` : word;
};

/** Every problem of `value`, each opening with its dotted path: the `message` array of a shape 400. */
export function toProblems(error: z.ZodError, root: string, value: unknown): string[] {
  return error.issues.flatMap((issue) => toProblem(issue, root, value));
}

/** Message and details of a 400: up to `PROBLEMS_MAX` sentences, the same for machines, and the number left out. */
export function describeProblems(problems: readonly string[]) {
  const shown = problems.slice(0, PROBLEMS_MAX);
  const moreErrors = problems.length - shown.length;
  return {
    message: moreErrors === 0 ? shown : [...shown, `and ${moreErrors} more problems`],
    details: { errors: shown.map(toShapeProblem), ...(moreErrors > 0 && { moreErrors }) },
  };
}

function toShapeProblem(problem: string): ShapeProblem {
  const [, path = "", reason = ""] = /^(?:property )?(\S+) (.*)$/s.exec(problem) ?? [];
  return { path, reason };
}

function toProblem(issue: z.core.$ZodIssue, root: string, value: unknown): string[] {
  const path = issue.path.map((name) => toWord(String(name))).join(".");
  const at = path === "" ? root : path;
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => `property ${path === "" ? "" : `${path}.`}${toWord(key)} should not exist`);
    case "invalid_value":
    case "invalid_type":
    case "invalid_union":
      return [`${at} ${isGiven(value, issue.path) ? mustBe(issue) : "is required"}`];
    case "too_big":
      // A schema that says nothing of its bound has the validator's own words.
      return [`${at} ${issue.message.startsWith("Too big") ? `must be at most ${issue.maximum}` : issue.message}`];
    default:
      return [`${at} ${issue.message}`];
  }
}

type Unfit = Extract<z.core.$ZodIssue, { code: "invalid_value" | "invalid_type" | "invalid_union" }>;

function mustBe(issue: Unfit): string {
  switch (issue.code) {
    case "invalid_value":
      return `must be one of the following values: ${issue.values.join(", ")}`;
    case "invalid_type":
      return `must be ${article(issue.expected === "int" ? "integer" : issue.expected)}`;
    case "invalid_union":
      return issue.message === "Invalid input" ? "is not valid" : issue.message;
  }
}

/** Whether there is anything at a path; `null` is something. */
function isGiven(value: unknown, [name, ...below]: readonly PropertyKey[]): boolean {
  if (name === undefined) return true;
  const property = Object.getOwnPropertyDescriptor(Object(value), name);
  return property !== undefined && isGiven(property.value, below);
}

const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);
