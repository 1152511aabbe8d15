/** A sanitized, typed MongoDB filter: only the 17 operators, values already of the fields' types; `{}` matches all. */
export type Filter = Readonly<Record<string, unknown>>;
export type SortKey = Readonly<{ path: string; descending: boolean }>;
export type Projection = Readonly<{ mode: "include" | "exclude"; paths: readonly string[] }>;
/** A reference to replace by what it names; without `select` by all of it. */
export type Population = Readonly<{ path: string; select: readonly string[] }>;

/** The parsed request to a list endpoint. */
export type ListQuery = Readonly<{
  filter: Filter;
  /** Empty means newest first. Ties are broken by id, newest first; by a date alone, in the order of the date. */
  sort: readonly SortKey[];
  projection?: Projection;
  population: readonly Population[];
  skip: number;
  /** The place behind which the page begins, as an earlier page gave it; `skip` is 0 then. */
  cursor?: string;
  limit: number;
  /** The dotted paths that were dropped from the request as if never sent; they appear only in the explanation. */
  stripped: readonly string[];
}>;

export const LIST_LIMIT_DEFAULT = 50;
export const LIST_LIMIT_MAX = 1000;
export const LIST_SKIP_MAX = 100_000;
/** One sort, projection or selection may have so many names. */
export const LIST_NAMES_MAX = 10;
