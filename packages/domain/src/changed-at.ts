/**
 * The moment of a change: now, but never before the last one, whatever the clock of the machine says. A reader of
 * records by their last change would otherwise have passed the place to which a record goes back.
 */
export function changedAt(updatedAt: string, nowMs: number): string {
  const lastMs = Date.parse(updatedAt);
  return new Date(nowMs < lastMs ? lastMs + 1 : nowMs).toISOString();
}
