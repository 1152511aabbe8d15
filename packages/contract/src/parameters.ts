import { LIST_LIMIT_MAX, LIST_SKIP_MAX } from "@intents/domain/lists/query.ts";
import * as z from "zod";
import { lazily, type Route } from "./route.ts";

/** An integer of a query, where every value is text. */
export const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .refine(isBetween(minimum, maximum), `must be an integer between ${minimum} and ${maximum}`)
    .transform(Number)
    .meta({ override: { type: "integer", minimum, maximum } });

const isBetween = (minimum: number, maximum: number) => (text: string) =>
  /^\d{1,7}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;

/** The part of a list that is asked for, where the list is no query of records. */
const Part = lazily(() =>
  z.strictObject({
    skip: integer(0, LIST_SKIP_MAX).describe("So many are left out").exactOptional(),
    limit: integer(0, LIST_LIMIT_MAX).describe("At most so many").exactOptional(),
  }),
);
export type ListPart = z.output<ReturnType<typeof Part>>;
const None = lazily(() => z.strictObject({}));

/** The schema of a route's plain query parameters; undefined where nobody looks at them. */
export function parametersOf({ on, query, parameters, answers }: Route): z.ZodType | undefined {
  if (query !== undefined) return undefined;
  if (parameters !== undefined) return parameters();
  if ("data" in answers && answers.listed !== undefined) return Part();
  return isStrict({ on }) ? None() : undefined;
}

/** Whether a route refuses what it does not know: links to pages carry whatever mail programs add to them. */
export const isStrict = ({ on }: Pick<Route, "on">): boolean => / \/(v2|sandbox\/(?!checkout))/.test(on);
