/** What a list endpoint was asked for. Filters are equalities by dotted path; every one of them must hold. */
export type ListQuery = Readonly<{
  filter: Readonly<Record<string, string>>;
  skip: number;
  limit: number;
}>;

export const LIST_LIMIT_DEFAULT = 50;
export const LIST_LIMIT_MAX = 1000;

/** Whether a record meets every equality. A path through an array holds when it holds for one of its elements. */
export const matches = (record: unknown, filter: ListQuery["filter"]): boolean =>
  Object.entries(filter).every(([path, wanted]) => valuesAt(record, path.split(".")).some((value) => value === wanted));

function valuesAt(node: unknown, path: readonly string[]): string[] {
  const [key, ...rest] = path;
  if (Array.isArray(node)) {
    const elements = node.flatMap((element) => valuesAt(element, path));
    return key !== undefined && /^\d+$/.test(key) ? [...elements, ...valuesAt(node[Number(key)], rest)] : elements;
  }
  if (key === undefined) return node === undefined ? [] : [String(node)];
  if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return [];
  return valuesAt((node as Record<string, unknown>)[key], rest);
}
