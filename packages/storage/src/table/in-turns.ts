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
