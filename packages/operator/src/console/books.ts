import type { BooksView } from "@intents/console/books.tsx";
import { DAY_MS } from "@intents/domain/durations.ts";
import { readNewest } from "@intents/storage/lists/newest.ts";
import { verifyIntents } from "@intents/storage/operations/ledger-scan.ts";
import type { IntentKey } from "@intents/storage/table/keys.ts";
import { toTotals } from "../ledger.ts";
import type { Means } from "./means.ts";

/** One page verifies so many payments, with three reads for each. */
const INTENTS_MAX = 400;

export async function readBooks({ session }: Means, tenantId: string, days: number): Promise<BooksView> {
  const newest: IntentKey[] = [];
  const span = { sinceMs: Date.now() - days * DAY_MS };
  for await (const page of readNewest(session.table, [tenantId], span)) {
    newest.push(...page.map(({ id }) => ({ tenantId, id })));
    if (newest.length > INTENTS_MAX) break;
  }
  const { turnovers, ...verified } = await verifyIntents(session.table, newest.slice(0, INTENTS_MAX));
  return {
    days,
    intents: verified.intents,
    entries: verified.entries,
    intentsMax: INTENTS_MAX,
    hasMore: newest.length > INTENTS_MAX,
    totals: toTotals(turnovers),
    problems: verified.problems,
    findings: verified.findings,
    command: session.command("ledger", "verify", "--tenant", tenantId),
  };
}
