/** Maps items in their order, so many at a time, so that store and memory never have to bear all of them at once. */
export async function mapInTurns<Item, Mapped>(
  items: readonly Item[],
  atOnce: number,
  map: (item: Item) => Promise<Mapped>,
): Promise<Mapped[]> {
  const mapped: Mapped[] = [];
  for (let start = 0; start < items.length; start += atOnce) {
    mapped.push(...(await Promise.all(items.slice(start, start + atOnce).map(map))));
  }
  return mapped;
}

/** An item that could not be dealt with, by a name that a log may tell, and why. */
export type FailedItem = Readonly<{ about: string; reason: unknown }>;

/**
 * Deals with items in their order, so many at a time; one that fails keeps none of the others from being dealt with.
 * Gives what came of the others, and adds those that failed to `failed`, by the names that `nameOf` gives them.
 */
export async function settleInTurns<Item, Mapped>(
  items: readonly Item[],
  atOnce: number,
  map: (item: Item) => Promise<Mapped>,
  { failed, nameOf }: Readonly<{ failed: FailedItem[]; nameOf: (item: Item) => string }>,
): Promise<Mapped[]> {
  const outcomes = await mapInTurns(items, atOnce, async (item): Promise<readonly Mapped[]> => {
    try {
      return [await map(item)];
    } catch (reason) {
      failed.push({ about: nameOf(item), reason });
      return [];
    }
  });
  return outcomes.flat();
}

/** Failed items named in an error. */
const NAMED_MAX = 20;

/** Throws, once all items were dealt with, an error that names those of `failed`, if there are any. */
export function refuseFailed(failed: readonly FailedItem[], done: string): void {
  const [first] = failed;
  if (first === undefined) return;
  const named = failed.slice(0, NAMED_MAX).map(({ about }) => about);
  throw new Error(`${failed.length} failed, ${done}: ${named.join(", ")}. The first: ${first.reason}`, {
    cause: first.reason,
  });
}
