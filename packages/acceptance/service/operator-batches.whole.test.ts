import { describe, expect, test } from "vitest";
import { noRateLimit } from "./client.ts";
import { pay, payrollBody } from "./scenarios-fixture.ts";
import { eventually, openOperatedService } from "./service-fixture.ts";
import { railPayments } from "./tuition.ts";

const TENANT = "1001";

// The schedule ticks every second. An operator's next command comes before the payment as long as the rail plays
// unavailable.
const { client, operator } = await openOperatedService({
  ...noRateLimit,
  RECOVERY_AFTER_SECONDS: "3600",
  SANDBOX_SETTLE_SECONDS: "1",
});

type Leg = Readonly<{ status: string; connectorPaymentId: number; endedBy?: string; money?: string }>;
const intents = (name: string, id: string, ...more: readonly string[]) => [
  ...["intents", name, id, "--tenant", TENANT],
  ...more,
];
const legsOf = async (id: string) =>
  ((await client.getIntent(id)) as unknown as { executions: [{ legs: Leg[] }] }).executions[0].legs;
const statusesOf = async (id: string) => (await legsOf(id)).map(({ status }) => status);
/** A batch of two recipients, the first of which is never paid because the rail plays unavailable to it. */
const halfPaid = async () => {
  const { id } = await pay(client, payrollBody(2, ["SANDBOX-UNAVAILABLE"]));
  await eventually(async () => expect(await statusesOf(id)).toEqual(["pending", "cleared"]));
  return id;
};
/** A change that is repeated while it fails, because a worker may be asking about a leg at this moment. */
const changeSoon = (...args: readonly string[]) => eventually(() => operator.change(...args));

describe.concurrent("a batch in an operator's hands", () => {
  test("is held, which its tenant sees, resumed, and cancelled for whom nothing was sent", async () => {
    const id = await halfPaid();
    expect(await changeSoon(...intents("hold", id))).toMatchObject({ before: "executing", status: "executing" });
    expect(await statusesOf(id)).toEqual(["held", "cleared"]);
    await operator.change(...intents("resume", id));
    await eventually(async () => expect(await statusesOf(id)).toEqual(["pending", "cleared"]));
    expect(await changeSoon(...intents("cancel", id))).toMatchObject({ before: "executing" });
    await eventually(async () =>
      expect(await client.getIntent(id)).toMatchObject({
        status: "partially_completed",
        bulkProgress: { total: 2, completed: 1, failed: 0, cancelled: 1 },
      }),
    );
    const ended = (await legsOf(id)).map(({ status, endedBy }) => [status, endedBy]);
    expect(ended).toEqual([
      ["cancelled", "operator"],
      ["cleared", "rail"],
    ]);
    expect(await railPayments(client, id)).toHaveLength(1);
    const refused = await operator.run(...intents("hold", id), "--yes", "--reason", "x");
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringMatching(/nothing is left to stop/) });
  });

  test("is resolved recipient by recipient, none counts as paid to whom nothing was sent, and the books are right", async () => {
    const id = await halfPaid();
    // The command may be refused while a worker asks about a leg, or be done although its answer was lost.
    await eventually(async () => {
      await operator.run(...intents("lose-track", id), "--yes", "--reason", "x");
      expect(await client.getIntent(id)).toMatchObject({ status: "requires_recovery" });
    });
    const asked = [...intents("resolve", id), "--as", "completed"];
    const refused = await operator.run(...asked, "--rail-payment", "0=bank-77", "--yes", "--reason", "x");
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringMatching(/Nothing was sent for recipient 0/) });
    const partly = [...intents("resolve", id), "--as", "partially_completed", "--cleared", "1"];
    expect(await operator.change(...partly)).toMatchObject({ status: "partially_completed" });
    const { code, stdout } = await operator.run("ledger", "verify", "--tenant", TENANT, "--json");
    const { findings } = JSON.parse(stdout) as { findings: { about: string }[] };
    expect([code, findings.filter(({ about }) => about === id)]).toEqual([0, []]);
  });

  test("tells of each recipient what has become of its money, and the books and the tenant's answer follow", async () => {
    const { id } = await pay(client, payrollBody(2, ["SANDBOX-OVERDUE"]));
    await eventually(async () => expect((await statusesOf(id))[1]).toBe("cleared"));
    await eventually(async () => {
      await operator.run(...intents("lose-track", id), "--yes", "--reason", "x");
      expect(await client.getIntent(id)).toMatchObject({ status: "requires_recovery" });
    });
    await operator.change(...intents("resolve", id), "--as", "partially_completed", "--cleared", "1");
    const before = await legsOf(id);
    // The rail pays whom an operator has given up, and gets back what it has paid.
    for (const [order, what] of ["settle", "return"].entries()) {
      await client.must("POST", `/sandbox/payments/${before[order]?.connectorPaymentId}/${what}?order=${order}`);
    }
    const records = await eventually(async () => {
      const { stdout } = await operator.run("reconciliation", "list", "--tenant", TENANT, "--json");
      const open = (JSON.parse(stdout) as { id: string; intentId: string; said: string }[]).filter(
        ({ intentId }) => intentId === id,
      );
      expect(open).toHaveLength(2);
      return open;
    });
    expect(await client.getIntent(id)).toMatchObject({ underReview: { about: ["contradicts_outcome"] } });
    for (const { id: record, said } of records) {
      const outcome = said.startsWith("completed") ? "arrived" : "came-back";
      await operator.change("reconciliation", "close", record, "--tenant", TENANT, "--as", outcome);
    }
    const closed = await client.getIntent(id);
    expect(closed).not.toHaveProperty("underReview");
    expect(closed).toMatchObject({ status: "partially_completed", bulkProgress: { completed: 1, failed: 1 } });
    const { corrections } = closed as unknown as { corrections: { order: number; outcome: string }[] };
    expect(new Map(corrections.map(({ order, outcome }) => [order, outcome]))).toEqual(
      new Map([
        [0, "arrived"],
        [1, "cameBack"],
      ]),
    );
    const told = (await legsOf(id)).map(({ status, money }) => [status, money]);
    expect(told).toEqual([
      ["failed", "delivered"],
      ["cleared", "returned"],
    ]);
    const { code, stdout } = await operator.run("ledger", "verify", "--tenant", TENANT, "--json");
    const { findings } = JSON.parse(stdout) as { findings: { about: string }[] };
    expect([code, findings]).toEqual([0, []]);
  });
});

test("the payments of both rails are compared with the books, no further back than a rail remembers", async () => {
  const north = { ...payrollBody(2), instructions: { manualPayment: { countryCode: "NO", purpose: "other" } } };
  for (const body of [payrollBody(2), north]) {
    const { id } = await pay(client, body);
    await client.waitForStatus(id, "completed");
  }
  const match = () => operator.run("ledger", "match", "--days", "2", "--json");
  const { code, stdout } = await match();
  expect(JSON.parse(stdout)).toMatchObject({ problems: 0, findings: [] });
  // These payments are too young to be compared.
  expect((JSON.parse(stdout) as { young: number }).young).toBeGreaterThanOrEqual(4);
  expect(code).toBe(0);
  const wrong = await operator.run("ledger", "match", "--days", "90");
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/a number from 1 to 29/) });
});
