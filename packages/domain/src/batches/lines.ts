import { withoutTrailingZeros } from "../amounts/money.ts";
import { inOrder, type Recipient } from "../scenarios/draft.ts";

/**
 * The reference that each recipient of a batch sends to the rail, by its place in the array. A recipient that states no
 * reference, and that an earlier one by `order` equals in payee, amount and currency, sends the number of its line. So
 * equal wages are all paid, while a batch that is sent twice, in whatever order, repeats its references, which the
 * rail's duplicate check catches (Decision 014).
 */
export function referencesSent(recipients: readonly Recipient[]): (string | undefined)[] {
  const sent: (string | undefined)[] = recipients.map(({ reference }) => reference);
  const lines = new Map<string, number>();
  for (const { index, reference, ...recipient } of inOrder(recipients)) {
    if (reference !== undefined) continue;
    const line = (lines.get(wageOf(recipient)) ?? 0) + 1;
    lines.set(wageOf(recipient), line);
    if (line > 1) sent[index] = `line ${line}`;
  }
  return sent;
}

/** The recipients, by their places, that the rail would take for one and the same payment: groups of two and more. */
export function equalLines(recipients: readonly Recipient[]): number[][] {
  const sent = referencesSent(recipients);
  const groups = new Map<string, number[]>();
  recipients.forEach((recipient, index) => {
    // A recipient without payee or amount is no payment yet; the missing field is reported under its own path.
    if (recipient.connectorPayeeId === undefined || recipient.amount?.payeeAmount === undefined) return;
    const key = JSON.stringify([wageOf(recipient), sent[index] ?? null]);
    groups.set(key, [...(groups.get(key) ?? []), index]);
  });
  return [...groups.values()].filter(({ length }) => length > 1);
}

/** Payee and amount, by worth: 100 and 100.00 are the same wage. */
function wageOf({ connectorPayeeId, amount }: Recipient): string {
  const worth = amount?.payeeAmount === undefined ? null : withoutTrailingZeros(amount.payeeAmount);
  return JSON.stringify([connectorPayeeId ?? null, worth, amount?.currency ?? null]);
}
