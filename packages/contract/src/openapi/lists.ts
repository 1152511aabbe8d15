import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX, LIST_NAMES_MAX, LIST_SKIP_MAX } from "@intents/domain/lists/query.ts";
import { type ListKind, listResources } from "@intents/domain/lists/resources.ts";
import * as z from "zod";
import type { ZodOpenApiParameterObject } from "zod-openapi";
import { type Answers, lazily } from "../route.ts";
import { count, plainText, timestamp } from "../shapes.ts";
import { AmountMode, CommissionRequestStatus, DeliveryMode, IntentStatus, UseCase } from "../vocabulary.ts";

/** The fields that lists are filtered by most, as parameters that every generator can carry. */
const commonFilters: Readonly<Record<ListKind, Readonly<Record<string, () => z.ZodType>>>> = {
  INTENT: {
    "filter[status]": IntentStatus,
    "filter[useCase]": UseCase,
    "filter[deliveryMode]": DeliveryMode,
    "filter[amountMode]": AmountMode,
    "filter[createdFrom.paymentIntentId]": () => plainText("Only the payments by this link"),
    "filter[createdAt][$gte]": () => timestamp("Only those created at this moment or after it"),
    "filter[createdAt][$lt]": () => timestamp("Only those created before this moment"),
    "filter[updatedAt][$gte]": () => timestamp("Only those that changed at this moment or after it"),
  },
  STUDENT: { "filter[email]": () => plainText("Only those with this address, as it is written") },
  PAYER: { "filter[email]": () => plainText("Only those with this address, as it is written") },
  PAYEE: { "filter[currencyCode]": () => plainText("Only those paid in this currency") },
  COMMISSION: { "filter[paymentDate][$gte]": () => timestamp("Only those paid at this moment or after it") },
  COMMISSION_REQUEST: { "filter[status]": CommissionRequestStatus },
};

/** Conditions that are parameters of their own. */
export const filterParameters = (kind: ListKind): z.ZodObject =>
  z.object(
    Object.fromEntries(
      Object.entries(commonFilters[kind]).map(([name, schema]) => [name, schema().exactOptional()] as const),
    ),
  );

/** The parameters of a list. None has a `contentMediaType`, for which oapi-codegen would take a file, not a text. */
export const listParameters = (kind: ListKind): readonly ZodOpenApiParameterObject[] => [
  {
    in: "query",
    name: "filter",
    description: [
      'A MongoDB filter by the fields of the items, as JSON: `{"createdAt":{"$gte":"2026-01-01"}}`. Operators: `$eq $gt',
      "$gte $lt $lte $ne $in $nin $or $and $not $nor $exists $type $elemMatch $size $all`. Or, instead of this one, one parameter",
      "for each condition, in brackets or dots: `filter[createdAt][$gte]=2026-01-01`, `filter[$or][0][payer.role]=student`;",
      "several values mean any of them. Those most asked for are listed here",
    ].join(" "),
    schema: { type: "string", contentSchema: { type: "object", additionalProperties: true } },
    example: '{"createdAt":{"$gte":"2026-01-01"}}',
  },
  {
    in: "query",
    name: "skip",
    description: "So many records of the list as it stands are left out; not together with `cursor`",
    schema: { type: "integer", minimum: 0, maximum: LIST_SKIP_MAX },
  },
  {
    in: "query",
    name: "cursor",
    description:
      "The `nextCursor` of an earlier page with the same filter and sort: the page begins behind that one, whatever was added meanwhile",
    schema: { type: "string" },
  },
  {
    in: "query",
    name: "limit",
    description: "The most items that a page holds; an answer of megabytes holds fewer",
    schema: { type: "integer", minimum: 0, maximum: LIST_LIMIT_MAX, default: LIST_LIMIT_DEFAULT },
  },
  names("sort", "Order by these fields, a leading hyphen means descending; the newest first otherwise", "-createdAt"),
  names("projection", "Only these fields and the id, or with leading hyphens all but these", "-createdAt"),
  ...populationParameter(listResources[kind].populations),
  {
    in: "header",
    name: "X-Explain",
    description: "`true` adds `explain` beside `data`: how the page was read, and what that took",
    schema: { type: "string", enum: ["true", "false"] },
  },
];

const names = (name: string, description: string, example: string): ZodOpenApiParameterObject => ({
  in: "query",
  name,
  description: `${description}; at most ${LIST_NAMES_MAX}, with spaces between them`,
  schema: { type: "string", minLength: 1, pattern: "^ *-?[A-Za-z_]\\w*(\\.\\w+)*( +-?[A-Za-z_]\\w*(\\.\\w+)*)* *$" },
  example,
});

const populationParameter = (paths: readonly string[]): ZodOpenApiParameterObject[] =>
  paths.length === 0
    ? []
    : [
        {
          in: "query",
          name: "population",
          description: [
            'Puts what is referred to in place of its id: `[{"path":"payer.partyId"}]`; or, instead of this one,',
            "`population[0][path]=payer.partyId`",
          ].join(" "),
          schema: {
            type: "string",
            contentSchema: {
              type: "array",
              items: {
                type: "object",
                properties: {
                  path: { type: "string", enum: [...paths], description: "The reference" },
                  select: {
                    type: "string",
                    description: "The fields wanted, with spaces between them; all without it",
                  },
                },
                required: ["path"],
                additionalProperties: false,
              },
            },
          },
          example: JSON.stringify([{ path: paths[0] }]),
        },
      ];

const Reads = lazily(() =>
  z
    .object({
      storeCalls: count("Calls of the store"),
      itemsRead: count("Items that the store looked at"),
      readUnits: z.number().describe("What the store charges"),
    })
    .meta({ id: "ListReads", description: "What reading took" }),
);
const Explanation = lazily(() =>
  z
    .object({
      index: plainText("The index that was read"),
      partitions: count("The ranges of it that were read side by side"),
      order: z.enum(["index", "memory"]).describe("Where the order comes from"),
      total: z.enum(["counters", "keys", "records"]).describe("What was counted for `total`"),
      reads: z
        .object({ page: Reads(), total: Reads(), population: Reads() })
        .describe("What the page, its total and what it refers to took"),
      stripped: z.array(z.string()).describe("The parts of the filter that were removed as if never sent"),
    })
    .meta({ id: "ListExplanation", description: "How a page was read" }),
);

/** The ids in whose place `population` puts records. */
const populated: ReadonlySet<string> = new Set(Object.values(listResources).flatMap(({ populations }) => populations));

/** A page of a list, under a name of its own; its items are whole, or what a projection or population made of them. */
export function pageOf({ list, item, feed }: Extract<Answers, { list: string }>): z.ZodType {
  const { id = "" } = z.globalRegistry.get(item()) ?? {};
  const name = id.replace(/Item$/, "");
  if (feed === true) return feedPageOf(name, list, item());
  const items = z.union([item(), selectionOf(`${name}Selection`, item())]);
  return z
    .object({
      data: z.object({ [list]: z.array(items).describe("The items of the page") }).describe("The page"),
      hasMore: z.boolean().describe("Whether there are items behind it"),
      nextCursor: z.string().describe("The `cursor` of the next page, where there is one").exactOptional(),
      count: count("The items of the page"),
      total: count("The items of the list"),
      explain: Explanation().exactOptional(),
    })
    .meta({ id: `${name}Page`, description: "A page of a list" });
}

const feedPageOf = (name: string, list: string, item: z.ZodType) =>
  z
    .object({
      data: z.object({ [list]: z.array(item).describe("The items of the page") }).describe("The page"),
      hasMore: z.boolean().describe("Whether there are items behind it already"),
      nextCursor: z.string().describe("The `after` to go on with, now or later"),
      count: count("The items of the page"),
    })
    .meta({ id: `${name}Page`, description: "A page of what has happened" });

/** An item of which any field may be missing, or be populated. */
const selectionOf = (id: string, item: z.ZodType): z.ZodType =>
  partOf(item, "").meta({
    id,
    description:
      "What a `projection` leaves of an item, or a `population` makes of it. A field means what it means in the item",
  });

function partOf(schema: z.ZodType, at: string): z.ZodType {
  const { description = "" } = z.globalRegistry.get(schema) ?? {};
  if (schema instanceof z.ZodExactOptional) return partOf(schema.unwrap() as z.ZodType, at);
  if (schema instanceof z.ZodArray) return z.array(partOf(schema.element as z.ZodType, at)).describe(description);
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>).map(
      ([name, field]) => [name, partOf(field, at === "" ? name : `${at}.${name}`).exactOptional()] as const,
    );
    return z.object(Object.fromEntries(fields)).describe(description);
  }
  if (!populated.has(at)) return schema;
  // A populated record may be cut to any fields, which no generator can tell from the whole one.
  return z
    .unknown()
    .describe(`${description}; or the record that \`population\` puts in its place, null if it is gone`);
}
