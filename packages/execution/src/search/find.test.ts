import { newRecordId } from "@intents/domain/ids.ts";
import { readQuestion } from "@intents/domain/search/question.ts";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import { addParty, deleteParty } from "@intents/storage/parties/parties.ts";
import { addTenant } from "@intents/storage/parties/tenants.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPayers } from "../../test/session-fixture.ts";
import { findPayments, type SearchScope } from "./find.ts";

const { world, payers, stop } = await startPayers();
afterAll(stop);

const { table, caller } = world;
const { tenantId } = caller;
const tenantIds = [tenantId, "1002"];

/** The table, and the commands that a search sends to it. */
function watched(): { table: Table; sent: string[] } {
  const sent: string[] = [];
  const send = (command: object) => {
    sent.push(command.constructor.name.replace("Command", ""));
    return table.db.send(command as never);
  };
  return { sent, table: { ...table, db: Object.create(table.db, { send: { value: send } }) } };
}

async function search(typed: string, scope: Partial<SearchScope> = {}, as: Table = table) {
  const question = readQuestion(typed);
  if (!question.ok) throw new Error(question.failure);
  return findPayments(as, question.value, { tenantIds, sinceMs: 0, limit: 50, ...scope });
}
const idsOf = async (...asked: Parameters<typeof search>) => (await search(...asked)).rows.map(({ id }) => id);

async function paid(changes: Parameters<typeof world.newDraft>[0] = {}) {
  const { id } = await world.newDraft(changes);
  expect(await world.submit(id)).toMatchObject({ ok: true });
  return world.get(id);
}

beforeAll(async () => {
  // Others, among which a payment has to be found.
  for (let made = 0; made < 5; made++)
    await paid({ payer: { role: "family", details: { firstName: "Bo", lastName: "Ek" } } });
  const createdAt = new Date(world.clock.ms).toISOString();
  const terms = { name: "Other", countryCode: "AU", currencyCode: "AUD", commissionSpread: "0" };
  await addTenant(table, { tenantId: "1002", createdAt, ...terms });
});

describe("a payment is found", () => {
  test("by its id, its payment id or its link, each by keys alone, and nothing is written", async () => {
    const one = await paid();
    const link = await payers.publish();
    const batch = await world.newBatch(2);
    await world.submit(batch.id);
    const [leg] = await listLegs(table, batch);
    for (const [typed, id, reads, legs = []] of [
      [one.id, one.id, ["BatchGet"]],
      [String(one.lastConnectorPaymentId), one.id, ["Get", "BatchGet"]],
      [one.connectorPayment?.reference, one.id, ["Get", "BatchGet"]],
      // Beside a batch lie its recipients, payouts and payment ids, and where each recipient's money is.
      [String(leg?.payment.connectorPaymentId), batch.id, ["Get", "BatchGet", "BatchGet"], ["Query"]],
      [`https://pay.example/pay/plink_${link.stored.token}`, link.intent.id, ["Get", "BatchGet"]],
    ] as const) {
      const { sent, table: counted } = watched();
      expect(await search(String(typed), {}, counted)).toMatchObject({
        by: "key",
        looked: 0,
        rows: [{ id, tenantId }],
      });
      // The next steps read the names of its payees, its corrections, and its metadata.
      expect(sent).toEqual([...reads, "BatchGet", "BatchGet", "Query", ...legs]);
    }
  });

  test("by what it debits and delivers, in all and for one recipient, and not in another currency", async () => {
    const { id, executions, connectorPayment } = await paid({ payeeIds: [5001, 5002] });
    const [first] = executions[0]?.legs ?? [];
    const total = `${connectorPayment?.amount} ${connectorPayment?.currency}`;
    expect(await idsOf(total)).toEqual([id]);
    expect(await idsOf(`${first?.payerCurrency} ${Number(first?.payerAmount)}`)).toEqual([id]);
    expect(await idsOf(`${first?.payeeAmount} ${first?.payeeCurrency}`)).toEqual([id]);
    expect(await idsOf(`${connectorPayment?.amount} USD`)).toEqual([]);
    const batch = await world.newBatch(1);
    expect(await idsOf(`${batch.recipients[0]?.amount?.payeeAmount} CAD`)).toEqual([batch.id]);
  });

  test("by the e-mail of its payer or student: saved, deleted since, or told with the payment alone", async () => {
    const student = {
      role: "student",
      details: { firstName: "Zoe", lastName: "Kim", email: "Zoe@example.com" },
    } as const;
    const inline = await paid({
      payer: { role: "family", details: { ...student.details, email: "kim@example.com" } },
      subject: student,
    });
    expect(await idsOf("ZOE@example.com")).toEqual([inline.id]);
    expect(await idsOf("kim@example.com")).toEqual([inline.id]);
    const partyId = newRecordId(1, world.run.random);
    const ida = { firstName: "Ida", lastName: "Norup", email: "ida@example.com", createdAt: "", updatedAt: "" };
    await addParty(table, tenantId, "STUDENT", { ...ida, _id: partyId });
    const saved = await world.newDraft({ payer: { role: "student", partyId } });
    expect(await idsOf("Ida@example.com")).toEqual([saved.id]);
    await deleteParty(table, tenantId, "STUDENT", partyId);
    expect(await idsOf("ida@example.com")).toEqual([saved.id]);
    expect(await idsOf("nobody@example.com")).toEqual([]);
  });

  test("by the name of a payer or payee, a reference, a payee's id, or the rail's own id", async () => {
    const details = { firstName: "Ines", lastName: "Prado", email: "ines@example.com" };
    const { id, executions } = await paid({
      payer: { role: "family", details },
      reference: "INV-2026-7",
      payeeIds: [5002],
    });
    expect(await idsOf("ines prado")).toEqual([id]);
    expect(await idsOf("inv-2026-7")).toEqual([id]);
    expect(await idsOf(executions[0]?.railPaymentId ?? "")).toEqual([id]);
    expect(await idsOf(executions[0]?.executionId ?? "")).toEqual([id]);
    expect(await idsOf("school 5002")).toContain(id);
    expect(await idsOf("5002")).toContain(id);
    expect(await idsOf("5099")).toEqual([]);
  });

  test("among those of the tenants asked for alone, whatever leads to it", async () => {
    const { id, lastConnectorPaymentId, connectorPayment } = await paid();
    for (const typed of [id, String(lastConnectorPaymentId), `${connectorPayment?.amount} BRL`])
      expect(await idsOf(typed, { tenantIds: ["1002"] })).toEqual([]);
  });
});

describe("a search that looks at payments one by one", () => {
  test("gives the newest first, no further than asked for, and goes on where it has stopped", async () => {
    const all = await idsOf("School 5001");
    expect(all).toEqual(all.toSorted().toReversed());
    const met: string[] = [];
    let after: string | undefined;
    do {
      const page = await search("School 5001", { limit: 2, after });
      met.push(...page.rows.map(({ id }) => id));
      after = page.after;
    } while (after !== undefined);
    expect(met).toEqual(all);
  });

  test("goes back no further than it is told, and says at how many payments it has looked", async () => {
    const looked = (await search("nobody at all")).looked;
    expect(looked).toBeGreaterThan(5);
    expect(await search("nobody at all", { sinceMs: world.clock.ms + 1 })).toEqual({
      rows: [],
      by: "look",
      looked: 0,
      tenantsLeft: 0,
    });
  });

  test("looks at so many payments and tenants at once as it is told, and says what it left out", async () => {
    const few = await search("nobody at all", { lookedMax: 2 });
    expect(few).toMatchObject({ looked: 2, tenantsLeft: 0, after: expect.stringMatching(/^[\da-f]{24}$/) });
    const asked = { tenantIds: ["1002", tenantId, "1003"], tenantsMax: 1 };
    expect(await search("nobody at all", asked)).toMatchObject({ looked: 0, tenantsLeft: 2 });
    // An id finds its payment in all tenants.
    const { id } = await paid();
    expect(await search(id, asked)).toMatchObject({ by: "key", tenantsLeft: 0, rows: [{ id }] });
  });
});
