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

const payment = (tenantId: string, requestId: string, proof: string): Command => [
  ...["commission-requests", "pay", requestId, "--tenant", tenantId, "--proof", proof],
];

describe.concurrent("where a stage asks for two persons", () => {
  test("nobody is asked to agree to what cannot happen: it is refused to the first", async () => {
    const client = await tenants.newTenant();
    const { requestId } = await mustRequest(client, [await earn(client)]);
    const proof = join(folder, "once.pdf");
    writeFileSync(proof, pdf());
    const pay = (id: string) => payment(client.tenantId, id, proof);
    expect(await by("olga", pay(requestId))).toMatchObject({ proposed: "commission-requests.pay", by: "olga" });
    expect(await by("pete", pay(requestId))).toMatchObject({ status: "paid" });
    const { id } = await newDraft(client);
    for (const [command, refusal] of [
      [pay("nope"), /has no such request/],
      [pay(requestId), /The request is paid, not submitted/],
      [["intents", "resolve", id, "--tenant", client.tenantId, "--as", "failed"], /The intent is draft: only one in/],
    ] as const) {
      const refused = await tenants.run(...command, "--operator", "olga", "--yes", "--reason", "ticket 7");
      expect(refused).toMatchObject({ code: 4, stdout: "", stderr: expect.stringMatching(refusal) });
    }
    const asked = (await tenants.auditOf(client.tenantId)).filter(({ action }) => action.endsWith(".propose"));
    expect(asked).toHaveLength(1);
  });

  test("a commission request is paid once another has agreed to the same proof, and to the same invoice", async () => {
    const client = await tenants.newTenant();
    const { requestId } = await mustRequest(client, [await earn(client)], pdfFile(pdf(), "May.pdf"));
    const [proof, other] = [join(folder, "proof.pdf"), join(folder, "other.pdf")];
    const receipt = pdf();
    writeFileSync(proof, receipt);
    writeFileSync(other, pdf(900));
    const path = `/v2/commissions/requests/${requestId}`;
    const pay = (file: string) => payment(client.tenantId, requestId, file);
    const proposed = { proposed: "commission-requests.pay", invoiceSha256: expect.stringMatching(/^[0-9a-f]{64}$/) };
    const first = await by("rosa", pay(other));
    expect(first).toMatchObject(proposed);
    expect(await by("olga", pay(proof))).toMatchObject(proposed);
    await client.must("PUT", path, { form: requestForm({ invoice: pdfFile(pdf(900), "June.pdf") }) });
    const changed = await by("pete", pay(proof));
    expect(changed).toMatchObject({ ...proposed, by: "pete" });
    expect(changed["invoiceSha256"]).not.toBe(first["invoiceSha256"]);
    await expect(client.must("GET", path)).resolves.toMatchObject({ status: "submitted", hasProof: false });
    expect(await by("olga", pay(proof))).toMatchObject({ status: "paid" });
    expect((await client.call("GET", `${path}/proof`)).bytes).toEqual(receipt);
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
    const openRecord = () =>
      eventually(async () => {
        const { stdout } = await tenants.run("reconciliation", "list", ...of, "--json");
        const [record] = JSON.parse(stdout) as { id: string }[];
        expect(record).toMatchObject({ intentId: id });
        return record?.id ?? "";
      });
    const recordId = await openRecord();
    const close = (...outcomes: Command) => ["reconciliation", "close", recordId, ...of, ...outcomes];
    const unsaid = [...close("--recipient", "1=came-back"), "--operator", "olga", "--yes", "--reason", "ticket 7"];
    expect(await tenants.run(...unsaid)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("recipient 0, too"),
    });
    expect(await by("rosa", close("--as", "came-back"))).toMatchObject({ proposed: "reconciliation.close" });
    const finding = close("--recipient", "0=arrived", "1=came-back");
    expect(await by("olga", finding)).toMatchObject({ proposed: "reconciliation.close", by: "olga" });
    const found = "recipient 0 arrived, recipient 1 came-back";
    expect(await by("pete", finding)).toMatchObject({ id: recordId, found, by: "pete" });
    expect(await client.getIntent(id)).toMatchObject({
      status: "completed",
      corrections: [
        { order: 0, outcome: "arrived" },
        { order: 1, outcome: "cameBack" },
      ],
    });
    expect((await tenants.auditOf(client.tenantId)).at(-1)?.data).toMatchObject({ id: recordId, found });
    // The rail's next answer opens a record of its own.
    await happens("return?order=0");
    expect(await openRecord()).toBe(`${recordId}#2`);
  });
});
