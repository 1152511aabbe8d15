import type { PartyDetails } from "@intents/domain/parties/party.ts";
import type { Payee } from "@intents/domain/parties/payee.ts";
import { type ListedPayment, type PaymentRow, toPaymentRow } from "@intents/domain/search/payment-row.ts";
import { readMetadata } from "@intents/storage/intents/metadata.ts";
import { findPartyDetails } from "@intents/storage/parties/parties.ts";
import { findPayees } from "@intents/storage/parties/payees.ts";
import { findMoneyFacts } from "@intents/storage/reviews/money-facts.ts";
import { mapInTurns } from "@intents/storage/table/in-turns.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { chunksOf } from "@intents/storage/table/records.ts";
import { readLoosely, type Table } from "@intents/storage/table/table.ts";

/** A payment, and whose it is. */
type Owned = Readonly<{ tenantId: string; payment: ListedPayment }>;

/** Payments described at once. */
const AT_ONCE = 100;

/** The rows of these payments, in their order, with the names of those whom they name by ids. Nothing is decided by them. */
export async function describePayments(table: Table, found: readonly Owned[]): Promise<PaymentRow[]> {
  const loose = readLoosely(table);
  const payees = openPayees(table);
  const rows = await mapInTurns(chunksOf(found, AT_ONCE), 1, async (batch) => {
    const [known, parties, facts, notes] = await Promise.all([
      payees.of(batch.map(({ payment }) => payment)),
      findParties(loose, batch),
      findMoneyFacts(
        loose,
        batch.map(({ tenantId, payment }) => ({ tenantId, ...payment })),
      ),
      readMetadata(
        loose,
        batch.map(({ tenantId, payment: { id } }) => keysOf(tenantId).intent(id)),
      ),
    ]);
    return batch.map(({ tenantId, payment }, at) =>
      toPaymentRow(
        {
          tenantId,
          payment,
          facts: facts[at] ?? { legs: [], corrections: [] },
          metadata: notes.get(keysOf(tenantId).intent(payment.id).PK),
        },
        { payees: known, parties: parties.get(tenantId) ?? new Map() },
      ),
    );
  });
  return rows.flat();
}

/** The payees of payments; each is read once. */
export function openPayees(table: Table) {
  const loose = readLoosely(table);
  const known = new Map<number, Payee>();
  const asked = new Set<number>();
  const of = async (payments: readonly Pick<ListedPayment, "recipients">[]): Promise<ReadonlyMap<number, Payee>> => {
    const named = payments.flatMap(({ recipients }) => recipients.flatMap(({ connectorPayeeId: id }) => id ?? []));
    const fresh = [...new Set(named)].filter((id) => !asked.has(id));
    for (const id of fresh) asked.add(id);
    for (const [id, payee] of await findPayees(loose, fresh)) known.set(id, payee);
    return known;
  };
  return { of };
}

/** The saved parties of payments that have no copy of their details, by tenant and id. */
async function findParties(table: Table, found: readonly Owned[]) {
  const wanted = found.flatMap(({ tenantId, payment: { payer, subject, executions } }) =>
    executions.length > 0
      ? []
      : [payer, subject].flatMap((party) => (party?.partyId ? [[tenantId, party.partyId]] : [])),
  );
  const byTenant = Map.groupBy(wanted as [string, string][], ([tenantId]) => tenantId);
  const parties = new Map<string, Map<string, PartyDetails>>();
  for (const [tenantId, named] of byTenant) {
    parties.set(tenantId, await findPartyDetails(table, tenantId, [...new Set(named.map(([, id]) => id))]));
  }
  return parties;
}
