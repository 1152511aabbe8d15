import type { Commission } from "@intents/domain/commissions/commission.ts";
import { newCommission } from "../src/commissions/commissions.ts";
import { mapInTurns } from "../src/table/in-turns.ts";
import type { Table } from "../src/table/table.ts";
import { transact } from "../src/table/transact.ts";

let made = 0;

/** For tests: a commission of 1.00 AUD, with a date and an id that no other has. */
export function commission(changes: Partial<Commission> = {}): Commission {
  const paymentId = 1_000_000 + ++made;
  const { paymentDate = new Date(Date.UTC(2026, 9, 1) + made).toISOString() } = changes;
  const date = Date.parse(paymentDate).toString(16).padStart(12, "0");
  return {
    id: date + paymentId.toString(16).padStart(14, "0"),
    paymentId,
    studentName: "Ana Silva",
    payeeName: "University of Sydney",
    payerAmount: "100.00",
    payerCurrency: "AUD",
    commissionAmount: "1.00",
    commissionCurrency: "AUD",
    commissionSpread: 0.01,
    ...changes,
    paymentDate,
  };
}

const SIDE_BY_SIDE = 30;

/** For tests: earns commissions as completed payments do. */
export async function earnCommissions(table: Table, tenantId: string, commissions: readonly Commission[]) {
  await mapInTurns(commissions, SIDE_BY_SIDE, (one) => transact(table, () => newCommission(table, tenantId, one)));
}
