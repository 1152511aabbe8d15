import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { groupAmount } from "@intents/domain/amounts/money.ts";
import { newRecordId } from "@intents/domain/ids.ts";
import { storedIntent } from "@intents/domain/test/intent-fixture.ts";
import { toItem } from "@intents/storage/intents/intents.ts";
import { describe, expect, test } from "vitest";
import { openOperatedService } from "./service-fixture.ts";
import { newDraft } from "./tuition.ts";

const { client, operator } = await openOperatedService();

type Row = Readonly<Record<string, unknown>> & Readonly<{ id: string }>;
type Paid = Readonly<{
  lastConnectorPaymentId: number;
  connectorPayment: Readonly<{ amount: string; currency: string; reference: string }>;
  payer: Readonly<{ partyId: string }>;
  executions: readonly Readonly<{ fee: string; legs: readonly Readonly<{ payerAmount: string }>[] }>[];
}>;

function only<Item>([item, ...more]: readonly Item[]): Item {
  if (item === undefined || more.length > 0) throw new Error("There is not exactly one");
  return item;
}

async function found(...what: readonly string[]): Promise<Row[]> {
  const { code, stdout } = await operator.run("find", ...what, "--json");
  expect(code).toBe(0);
  return JSON.parse(stdout) as Row[];
}

describe.concurrent("a payment that a caller asks about is found", () => {
  test("by its id, its bank reference, its payer's e-mail, its amount, its reference and its payee", async () => {
    const { id } = await newDraft(client, { reference: "FEES-2026-SYD" });
    expect((await client.submit(id)).status).toBe(200);
    const paid = (await client.getIntent(id)) as unknown as Paid;
    const { amount, currency, reference } = paid.connectorPayment;
    const { email } = await client.must<{ email: string }>("GET", `/v2/students/${paid.payer.partyId}`);
    const { fee, legs } = only(paid.executions);
    const sums = {
      payerAmount: [{ amount: only(legs).payerAmount, currency }],
      payeeAmount: [{ amount: "1500.00", currency: "AUD" }],
      fee: [{ amount: fee, currency }],
    };
    const row = {
      ...{ tenantId: "1001", id, status: expect.any(String) },
      money: expect.toSatisfy((money: object) => isDeepStrictEqual(Object.values(money), [sums])),
      payer: { name: "Ana Silva", email },
      payees: ["University of Sydney"],
      paymentIds: [paid.lastConnectorPaymentId],
      references: ["FEES-2026-SYD"],
    };
    for (const what of [[id], [reference], [email], [amount, currency], ["fees-2026-syd"]])
      expect(await found(...what)).toEqual([expect.objectContaining(row)]);
    expect(await found("university of sydney", "--tenant", "1001")).toContainEqual(expect.objectContaining(row));
    expect(await found(id, "--tenant", "1002")).toEqual([]);

    const table = await operator.run("find", reference);
    expect(table.stdout).toMatch(/ tenant .* id .* money .* payer .* reference .*\n.* created .* for payees .* payee /);
    expect(table.stdout).toMatch(/ (owed|delivered) \d,\d{3}\.\d\d /);
    for (const shown of [
      id,
      `${groupAmount(only(legs).payerAmount)} ${currency}`,
      `fee ${groupAmount(fee)} ${currency}`,
      "for 1,500.00 AUD",
      `Ana Silva <${email}>`,
      "University of Sydney",
      reference,
    ])
      expect(table.stdout).toContain(shown);
    const listed = await operator.run("intents", "list", "--tenant", "1001");
    for (const shown of [id, "for 1,500.00 AUD", email]) expect(listed.stdout).toContain(shown);
  });

  test("among more than a page, by a list that goes on behind any payment", async () => {
    await operator.newTenant("2201");
    const made = Array.from({ length: 1010 }, (_, index) => newRecordId(Date.now() + index, randomBytes));
    const items = made.map((id) => toItem(storedIntent({ tenantId: "2201", id })));
    const { db, name } = operator.table;
    for (let at = 0; at < items.length; at += 25) {
      const puts = items.slice(at, at + 25).map((Item) => ({ PutRequest: { Item } }));
      await db.send(new BatchWriteCommand({ RequestItems: { [name]: puts } }));
    }
    const list = async (...more: readonly string[]) => {
      const listed = await operator.run("intents", "list", "--tenant", "2201", "--json", ...more);
      expect(listed.code).toBe(0);
      return { ...listed, ids: (JSON.parse(listed.stdout) as Row[]).map(({ id }) => id) };
    };
    const all = await list("--limit", "all");
    expect([all.ids, all.stderr]).toEqual([made.toReversed(), ""]);
    const some = await list("--limit", "1005");
    expect([some.ids, some.stderr]).toEqual([all.ids.slice(0, 1005), `there are more: --after ${all.ids[1004]}\n`]);
    expect((await list("--after", all.ids[1004] ?? "")).ids).toEqual(all.ids.slice(1005));
    const [newest = ""] = all.ids;
    const ofAll = await operator.run("intents", "list", "--json", "--after", `f${newest.slice(1)}`);
    expect(JSON.parse(ofAll.stdout)).toContainEqual(expect.objectContaining({ tenantId: "2201", id: newest }));
    const csv = await operator.run("intents", "list", "--tenant", "2201", "--csv", "--limit", "all");
    expect(csv.stdout.split("\r\n")).toHaveLength(1 + 1010 + 1);
    expect(csv.stdout).toMatch(
      /^tenantId,id,status,.*deliveredPayerAmount,deliveredPayerCurrency,deliveredPayeeAmount,/,
    );
  });

  test("or it is said how far the search has come", async () => {
    const none = await operator.run("find", "nobody@example.com", "--since", "2020-01-31");
    expect(none.stderr).toMatch(/^looked at all \d+ payments since 2020-01-31; --since goes further back\n$/);
    for (let made = 0; made < 2; made++) await newDraft(client, { reference: "TWICE" });
    const [first] = await found("twice", "--limit", "1");
    const { stderr } = await operator.run("find", "twice", "--limit", "1");
    expect(stderr).toMatch(new RegExp(`^looked at \\d+ payments; go on with --after ${first?.id}\n$`));
    expect((await found("twice", "--after", first?.id ?? "")).map(({ id }) => id)).not.toContain(first?.id);
  });

  test.each([
    ["an amount without a currency", 2, ["1500.00"], /Name the currency of the amount: 1500.00 USD/],
    ["an unknown tenant", 4, ["x", "--tenant", "2999"], /There is no tenant 2999/],
    ["no day", 2, ["x", "--since", "2026-02-30"], /a day, such as 2026-01-31/],
    ["no payment to go on behind", 2, ["x", "--after", "1"], /the id of a payment/],
  ])("but not by %s", async (_what, expected, args, why) => {
    const { code, stdout, stderr } = await operator.run("find", ...args);
    expect(stderr).toMatch(why);
    expect({ code, stdout }).toEqual({ code: expected, stdout: "" });
  });
});
