import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { noRateLimit, pdf } from "./client.ts";
import { earn, mustRequest, pdfFile, requestForm } from "./commissions.ts";
import { openTenants } from "./commissions-fixture.ts";
import { eventually, openService } from "./service-fixture.ts";
import { newDraft } from "./tuition.ts";

const { service } = await openService({ ...noRateLimit, TWO_PERSONS: "on", RECOVERY_AFTER_SECONDS: "3600" });
const tenants = openTenants(service.url);
const folder = mkdtempSync(join(tmpdir(), "proofs-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Command = readonly string[];
const by = (operator: string, command: Command) => tenants.change(...command, "--operator", operator);

/** Asserts that `command` is proposed by olga, refused to her, and carried out for pete; gives what it then tells. */
async function expectTwo(command: Command, proposed: string): Promise<Record<string, unknown>> {
  const ask = () => tenants.run(...command, "--operator", "olga", "--json", "--yes", "--reason", "ticket 7");
  const { code, stdout, stderr } = await ask();
  expect([code, stderr]).toEqual([5, ""]);
  expect(JSON.parse(stdout)).toMatchObject({ proposed, by: "olga", expiresAt: expect.stringMatching(/Z$/) });
  expect(await ask()).toMatchObject({
    code: 4,
    stdout: "",
    stderr: expect.stringMatching(/^You proposed this on .*\n$/),
  });
  return by("pete", command);
}

describe.concurrent("where a stage asks for two persons", () => {
  test("nobody is asked to agree to what cannot happen: it is refused to the first", async () => {
    const client = await tenants.newTenant();
    const paid = await mustRequest(client, [await earn(client)]);
    const proof = join(folder, "once.pdf");
    writeFileSync(proof, pdf());
    const pay = (id: string) => ["commission-requests", "pay", id, "--tenant", client.tenantId, "--proof", proof];
    await expectTwo(pay(paid.requestId), "commission-requests.pay");
    const { id } = await newDraft(client);
    for (const [command, told] of [
      [pay("nope"), /has no such request/],
      [pay(paid.requestId), /The request is paid, not submitted/],
      [["intents", "resolve", id, "--tenant", client.tenantId, "--as", "failed"], /The intent is draft: only one in/],
    ] as const) {
      const refused = await tenants.run(...command, "--operator", "olga", "--yes", "--reason", "ticket 7");
      expect(refused).toMatchObject({ code: 4, stdout: "", stderr: expect.stringMatching(told) });
    }
    const asked = (await tenants.auditOf(client.tenantId)).filter(({ action }) => action.endsWith(".propose"));
    expect(asked).toHaveLength(1);
  });

  test("a commission request is paid once another has agreed to the same proof", async () => {
    const client = await tenants.newTenant();
    const { requestId } = await mustRequest(client, [await earn(client)]);
    const [proof, other] = [join(folder, "proof.pdf"), join(folder, "other.pdf")];
    const receipt = pdf();
    writeFileSync(proof, receipt);
    writeFileSync(other, pdf(900));
    const path = `/v2/commissions/requests/${requestId}`;
    const pay = (file: string) => [
      "commission-requests",
      "pay",
      requestId,
      "--tenant",
      client.tenantId,
      "--proof",
      file,
    ];
    expect(await by("rosa", pay(other))).toMatchObject({ proposed: "commission-requests.pay" });
    await expect(client.must("GET", path)).resolves.toMatchObject({ status: "submitted", hasProof: false });
    expect(await expectTwo(pay(proof), "commission-requests.pay")).toMatchObject({ status: "paid" });
    expect((await client.call("GET", `${path}/proof`)).bytes).toEqual(receipt);
    expect((await tenants.auditOf(client.tenantId)).map(({ operator, action }) => [operator, action])).toEqual([
      ["rosa", "commission-requests.pay.propose"],
      ["olga", "commission-requests.pay.propose"],
      ["pete", "commission-requests.pay.agree"],
      ["pete", "commission-requests.paid"],
    ]);
  });

  test("a commission request is not paid by what was agreed on for another invoice", async () => {
    const client = await tenants.newTenant();
    const { requestId } = await mustRequest(client, [await earn(client)], pdfFile(pdf(), "May.pdf"));
    const proof = join(folder, "may.pdf");
    writeFileSync(proof, pdf());
    const path = `/v2/commissions/requests/${requestId}`;
    const pay = ["commission-requests", "pay", requestId, "--tenant", client.tenantId, "--proof", proof];
    const proposed = { proposed: "commission-requests.pay", invoiceSha256: expect.stringMatching(/^[0-9a-f]{64}$/) };
    const first = await by("olga", pay);
    expect(first).toMatchObject(proposed);
    const form = requestForm({ invoice: pdfFile(pdf(900), "June.pdf") });
    await client.must("PUT", path, { form });
    const second = await by("pete", pay);
    expect(second).toMatchObject({ ...proposed, by: "pete" });
    expect(second["invoiceSha256"]).not.toBe(first["invoiceSha256"]);
    await expect(client.must("GET", path)).resolves.toMatchObject({ status: "submitted", hasProof: false });
    expect(await by("olga", pay)).toMatchObject({ status: "paid" });
  });

  test("an intent is resolved once another has agreed to the same outcome, and losing track of it takes one", async () => {
    const client = await tenants.newTenant();
    const { id } = await newDraft(client, { reference: "SANDBOX-OVERDUE" });
    expect((await client.submit(id)).status).toBe(200);
    const intents = (name: string, ...more: Command) => ["intents", name, id, "--tenant", client.tenantId, ...more];
    expect(await by("olga", intents("lose-track"))).toMatchObject({ status: "requires_recovery" });
    const unknown = intents("resolve", "--as", "partially_completed", "--cleared", "7");
    expect(await tenants.run(...unknown, "--operator", "olga", "--yes", "--reason", "ticket 7")).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("no recipient with one of these orders"),
    });
    expect(await expectTwo(intents("resolve", "--as", "failed"), "intents.resolve")).toMatchObject({
      status: "failed",
    });
    expect((await client.getIntent(id)).status).toBe("failed");
    expect((await tenants.auditOf(client.tenantId)).map(({ operator, action }) => [operator, action])).toEqual([
      ["olga", "intents.lose-track"],
      ["olga", "intents.resolve.propose"],
      ["pete", "intents.resolve.agree"],
      ["pete", "intents.resolve"],
    ]);
  });

  test("a record is closed once another has told the same of each recipient", async () => {
    const client = await tenants.newTenant();
    const of = ["--tenant", client.tenantId];
    const { id } = await newDraft(client, { payeeIds: [5001, 5010] });
    const { executions } = (await client.submit(id)).body.data;
    const happens = (what: string) =>
      client.must("POST", `/sandbox/payments/${executions[0]?.connectorPaymentIds[0]}/${what}`);
    await happens("settle");
    await client.waitForStatus(id, "completed");
    await happens("return?order=1");
    const recordId = await eventually(async () => {
      const { stdout } = await tenants.run("reconciliation", "list", ...of, "--json");
      const [record] = JSON.parse(stdout) as { id: string }[];
      expect(record).toMatchObject({ intentId: id });
      return record?.id ?? "";
    });
    const close = (...outcomes: Command) => ["reconciliation", "close", recordId, ...of, ...outcomes];
    const unsaid = [...close("--recipient", "1=came-back"), "--operator", "olga", "--yes", "--reason", "ticket 7"];
    expect(await tenants.run(...unsaid)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("recipient 0, too"),
    });
    expect(await by("rosa", close("--as", "came-back"))).toMatchObject({ proposed: "reconciliation.close" });
    const found = "recipient 0 arrived, recipient 1 came-back";
    expect(await expectTwo(close("--recipient", "0=arrived", "1=came-back"), "reconciliation.close")).toMatchObject({
      id: recordId,
      found,
      by: "pete",
    });
    const closed = await client.getIntent(id);
    expect(closed).toMatchObject({
      status: "completed",
      corrections: [
        { order: 0, outcome: "arrived" },
        { order: 1, outcome: "cameBack" },
      ],
    });
    expect(closed).not.toHaveProperty("underReview");
    const verified = await tenants.run("ledger", "verify", ...of, "--json");
    expect([verified.code, JSON.parse(verified.stdout)]).toMatchObject([0, { problems: 0 }]);
    const audit = await tenants.auditOf(client.tenantId);
    expect(audit.map(({ operator, action }) => [operator, action])).toEqual([
      ["rosa", "reconciliation.close.propose"],
      ["olga", "reconciliation.close.propose"],
      ["pete", "reconciliation.close.agree"],
      ["pete", "reconciliation.close"],
    ]);
    expect(audit.at(-1)?.data).toMatchObject({ id: recordId, found });
  });
});
