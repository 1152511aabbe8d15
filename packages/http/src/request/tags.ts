import { createHash } from "node:crypto";

/** Whether an `If-Match` header, if there is one, stands for a resource as it is: its `data` as the answer has it. */
export function isCurrent(ifMatch: string | undefined, data: object): boolean {
  return ifMatch === undefined || standsFor(ifMatch, tagOf(JSON.stringify({ data })));
}

/** The tag of a body: a strong hash, without the quotes. */
export const tagOf = (body: string): string => createHash("sha256").update(body).digest("base64url");

/** Whether a list of tags has this one, weak or not: what a tag stands for is the content before its compression. */
export const standsFor = (tags: string, tag: string): boolean =>
  tags.split(",").some((one) => ["*", `"${tag}"`].includes(one.trim().replace(/^W\//, "")));
