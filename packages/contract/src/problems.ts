import type * as z from "zod";

/** Every problem of a body, each opening with its dotted path: the `message` array of a shape 400. */
export function toProblems(error: z.ZodError, root: string): string[] {
  return error.issues.flatMap((issue) => toProblem(issue, root));
}

function toProblem(issue: z.core.$ZodIssue, root: string): string[] {
  const path = issue.path.join(".");
  const at = path === "" ? root : path;
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => `property ${path === "" ? key : `${path}.${key}`} should not exist`);
    case "invalid_value":
      return [`${at} must be one of the following values: ${issue.values.join(", ")}`];
    case "invalid_type":
      return [`${at} must be ${article(issue.expected)}`];
    case "invalid_union":
      return [`${at} ${issue.message === "Invalid input" ? "is not valid" : issue.message}`];
    default:
      return [`${at} ${issue.message}`];
  }
}

const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);
