/** The address of a rail in one spelling, since claims remember it: without query, fragment and slash at the end. */
export function addressIn(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, "");
}
