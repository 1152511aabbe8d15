import { describe, expect, test } from "vitest";
import { noRateLimit } from "./client.ts";
import { openOperatedService } from "./service-fixture.ts";
import { newDraft } from "./tuition.ts";

const { client, operator } = await openOperatedService(noRateLimit);

type Row = Readonly<Record<string, unknown>> & Readonly<{ id: string }>;
type Paid = Readonly<{
  lastConnectorPaymentId: number;
  connectorPayment: Readonly<{ amount: string; currency: string; reference: string }>;
  payer: Readonly<{ partyId: string }>;
}>;

async function found(...what: readonly string[]): Promise<Row[]> {
  const { code, stdout } = await operator.run("find", ...what, "--json");
  expect(code).toBe(0);
  return JSON.parse(stdout) as Row[];
}

// Each test runs many commands, and every command is a process of its own.
describe.concurrent("a payment that a caller asks about is found", () => {
  test("by its id, its bank reference, its payer's e-mail, its amount, its reference and its payee", async () => {
    const { id } = await newDraft(client, { reference: "FEES-2026-SYD" });
    expect((await client.submit(id)).status).toBe(200);
    const paid = (await client.getIntent(id)) as unknown as Paid;
    const { amount, currency, reference } = paid.connectorPayment;
    const { email } = await client.must<{ email: string }>("GET", `/v2/students/${paid.payer.partyId}`);
    const row = {
      ...{ tenantId: "1001", id, status: expect.any(String), debited: { amount, currency } },
      delivered: [{ amount: "1500.00", currency: "AUD" }],
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
    expect(table.stdout).toMatch(/ tenant .* id .* debited .* delivered .* payer .* payee .* reference /);
    for (const shown of [
      id,
      `${amount} ${currency}`,
      "1500.00 AUD",
      `Ana Silva <${email}>`,
      "University of Sydney",
      reference,
    ])
      expect(table.stdout).toContain(shown);
    const listed = await operator.run("intents", "list", "--tenant", "1001");
    for (const shown of [id, `${amount} ${currency}`, email]) expect(listed.stdout).toContain(shown);
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
    ["an amount without a currency", ["1500.00"], /Name the currency of the amount: 1500.00 USD/],
    ["an unknown tenant", ["x", "--tenant", "2999"], /There is no tenant 2999/],
    ["no day", ["x", "--since", "2026-02-30"], /a day, such as 2026-01-31/],
    ["no payment to go on behind", ["x", "--after", "1"], /the id of a payment/],
    ["nothing", [], /missing required argument 'what'/],
  ])("but not by %s", async (_what, args, why) => {
    const { code, stdout, stderr } = await operator.run("find", ...args);
    expect(stderr).toMatch(why);
    expect({ isFine: code === 0, stdout }).toEqual({ isFine: false, stdout: "" });
  });
});
