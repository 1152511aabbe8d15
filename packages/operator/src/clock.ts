import { readMaintenance } from "@intents/storage/operations/maintenance.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { Refusal } from "./refusal.ts";

/** Certainly so far off is too far: with the second and the way there that are not known, it is below 5 s (Decision 025). */
const OFF_MS_MAX = 3_000;
/** An answer that was under way for longer does not tell the time well enough. */
const WAY_MS_MAX = 1_000;
const TRIES_MAX = 5;

/** The least and the most that this machine's clock may be ahead of the store's, by one answer, in milliseconds. */
type Lead = Readonly<{ leastMs: number; mostMs: number }>;

/**
 * Refuses writes to a table from a machine whose clock is wrong (Decision 025): followers read changes by the writer's
 * time, and miss one that is dated too early. The `Date` of the store's answers tells the store's clock. Throws a
 * Refusal from the write.
 */
export function checkClock(table: Table): void {
  let known: Lead | undefined;
  const stack = table.client.middlewareStack;
  stack.add(
    (next) => async (sent) => {
      const sentMs = Date.now();
      const answered = await next(sent);
      known = leadOf(sentMs, Date.now(), answered.response) ?? known;
      return answered;
    },
    { step: "deserialize", name: "readClock", priority: "low" },
  );
  stack.add(
    (next, { commandName = "" }) =>
      async (asked) => {
        if (!/^(Get|BatchGet|TransactGet|Query|Scan|Describe)/.test(commandName)) {
          for (let tries = 0; tries < TRIES_MAX && !isKnown(known); tries++) await readMaintenance(table);
          refuseWrongClock(known);
        }
        return next(asked);
      },
    { step: "initialize", name: "checkClock" },
  );
}

/** An answer names a second, in which it was given between being asked for and being here. */
function leadOf(sentMs: number, hereMs: number, response: unknown): Lead | undefined {
  const { headers } = response as Readonly<{ headers?: Readonly<Record<string, string>> }>;
  const storeMs = Date.parse(headers?.["date"] ?? "");
  return Number.isNaN(storeMs) ? undefined : { leastMs: sentMs - storeMs - 1000, mostMs: hereMs - storeMs };
}

const isKnown = (lead: Lead | undefined): boolean =>
  lead !== undefined && lead.mostMs - lead.leastMs <= WAY_MS_MAX + 1000;

function refuseWrongClock(lead: Lead | undefined): void {
  // Amazon always tells the time; a store that does not has nothing to compare with.
  const { leastMs = 0, mostMs = 0 } = lead ?? {};
  const wrong = leastMs > OFF_MS_MAX ? [leastMs, "ahead of"] : mostMs < -OFF_MS_MAX ? [-mostMs, "behind"] : undefined;
  if (wrong === undefined) return;
  const [byMs, which] = wrong;
  throw new Refusal(
    `Nothing was changed: the clock of this machine is at least ${Math.floor(Number(byMs) / 1000)} s ${which} that of the store; set it right`,
  );
}
