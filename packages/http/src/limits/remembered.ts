/** A container relies on its last reading for so long (H51). */
const KEPT_MS = 10_000;
/** The number of readings that a container remembers; past that it forgets them all and reads anew. */
const KEYS_MAX = 10_000;

/** The value read for a key: without a promise, if the container has read it in the last ten seconds. */
export type Remembered<Value> = (key: string, nowMs: number) => Value | Promise<Value>;

/** Lets a container rely for a while on what it has read. */
export function remembered<Value>(read: (key: string) => Promise<Value>): Remembered<Value> {
  const known = new Map<string, Readonly<{ value: Value; untilMs: number }>>();
  return (key, nowMs) => {
    const found = known.get(key);
    if (found !== undefined && found.untilMs > nowMs) return found.value;
    return read(key).then((value) => {
      if (known.size >= KEYS_MAX) known.clear();
      known.set(key, { value, untilMs: nowMs + KEPT_MS });
      return value;
    });
  };
}
