import type { ListExplanation } from "./schemas/payees.ts";

/** The query of every list. */
export type Query<Item> = {
  /** Conditions on the fields of the items, in MongoDB's words: `{ createdAt: { $gte: "2026-01-01" } }`. */
  filter?: Filter<Item>;
  /** The number of records left out. */
  skip?: number;
  /** Begin behind the page whose `nextCursor` this is. */
  cursor?: string;
  /** The most items of a page, up to 1000: the list goes on to the next page by itself. */
  limit?: number;
  /** Fields with spaces between them, each descending behind a hyphen: `-createdAt status`. The newest first otherwise. */
  sort?: string;
  /** Only these fields and the id, or with leading hyphens all but these: `status createdAt`. */
  projection?: string;
};

/** A query whose items come whole. */
export type Whole<ListParameters> = ListParameters & { projection?: never; population?: never };

type Value = string | number | boolean | null | undefined;

type Condition<Field> =
  | Field
  | readonly Field[]
  | {
      $eq?: Field;
      $ne?: Field;
      $gt?: Field;
      $gte?: Field;
      $lt?: Field;
      $lte?: Field;
      $in?: readonly Field[];
      $nin?: readonly Field[];
      $exists?: boolean;
      $type?: string;
      $not?: Condition<Field>;
    };

/** Conditions by the names of fields; those deeper inside by their dotted paths, such as `payer.role`. */
export type Filter<Item> = {
  [Name in keyof Item]?: Item[Name] extends Value ? Condition<Item[Name]> : unknown;
} & {
  [path: `${string}.${string}`]: unknown;
  $and?: readonly Filter<Item>[];
  $or?: readonly Filter<Item>[];
  $nor?: readonly Filter<Item>[];
};

export type Page<Item> = Readonly<{
  items: readonly Item[];
  hasMore: boolean;
  /** The `cursor` of the next page, where there is one; the `after` to go on with, now or later, of events. */
  nextCursor?: string;
  /** The items of the page. */
  count: number;
  /** The items of the whole list. */
  total?: number;
  /** How the page was read, where the option `explain` asked for it. */
  explain?: ListExplanation;
}>;

/** The items of a list, one after another, however many pages they take: `for await (const item of list)`. */
export type List<Item> = AsyncIterable<Item> & {
  /** The same by pages, which tell how many there are. */
  pages(): AsyncGenerator<Page<Item>, void, void>;
};

type ListParameters = Readonly<Record<string, unknown>>;

/** The items of a list, or those of a feed up to its present end. */
export function openList<Item>(
  ask: (query: ListParameters) => Promise<Page<Item>>,
  query: ListParameters,
  isFeed = false,
): List<Item> {
  // A page of a list without items leads nowhere: nobody who asks for none waits for an end.
  const leadsOn = ({ items, hasMore }: Page<Item>) => (isFeed ? hasMore : items.length > 0);
  async function* pages() {
    let page = await ask(query);
    yield page;
    while (page.nextCursor !== undefined && leadsOn(page)) {
      page = await ask({ ...query, skip: undefined, [isFeed ? "after" : "cursor"]: page.nextCursor });
      yield page;
    }
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items;
    },
  };
}
