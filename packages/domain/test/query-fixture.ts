import type { ListQuery } from "../src/lists/query.ts";

/** A list without conditions, but for `changes`. */
export const listQuery = (changes: Partial<ListQuery> = {}): ListQuery => ({
  filter: {},
  sort: [],
  population: [],
  skip: 0,
  limit: 50,
  stripped: [],
  ...changes,
});
