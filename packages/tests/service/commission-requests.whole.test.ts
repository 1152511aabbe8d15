import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { BASIC, type Client, fileForm, openClient, pdf } from "./client.ts";
import {
  type Commission,
  type CommissionRequest,
  earn,
  earnMany,
  fieldsFor,
  mustRequest,
  outstandingOf,
  pdfFile,
  request,
  requestForm,
  sumOf,
} from "./commissions.ts";
import { openTenants } from "./commissions-fixture.ts";
import { expectEnvelope, expectShape, problemsOf } from "./refusals.ts";
import { openService } from "./service-fixture.ts";

const { client } = await openService();
const tenants = openTenants(client.url);
const folder = mkdtempSync(join(tmpdir(), "proofs-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe.concurrent("a request", () => {
  test("takes its commissions out of the outstanding ones, and is listed with its invoice", async () => {
    const by = await tenants.newTenant();
    const [first, second, third] = (await earnMany(by, 3)) as [Commission, Commission, Commission];
    const bytes = pdf();
    const created = await mustRequest(by, [second, first], pdfFile(bytes, "May invoice.pdf"));
    const payments = [first, second]
      .toSorted((one, other) => one.paymentId - other.paymentId)
      .map(({ paymentId, studentName, commissionAmount, commissionCurrency }) => {
        return { paymentId, studentName, commissionAmount, commissionCurrency };
      });
    expect(created).toEqual({
      requestId: expect.stringMatching(/^[0-9a-f]{24}$/),
      status: "submitted",
      totalAmount: sumOf([first.commissionAmount, second.commissionAmount]),
      currency: "BRL",
      paymentCount: 2,
      createdOn: expect.stringMatching(/Z$/),
      hasInvoice: true,
      invoicedOn: expect.stringMatching(/Z$/),
      hasProof: false,
      payments,
    });
    expect(await by.must("GET", `/v2/commissions/requests/${created.requestId}`)).toEqual(created);
    expect(await by.must("GET", "/v2/commissions/requests")).toEqual({
      requests: [{ id: created.requestId, _id: created.requestId, ...created }],
    });
    expect((await outstandingOf(by)).items).toEqual([
      expect.objectContaining({ paymentId: third.paymentId, commissionAmount: third.commissionAmount }),
    ]);
    const { commissions } = await by.must<{ commissions: Commission[] }>("GET", "/v2/commissions?sort=-paymentId");
    expect(
      commissions.map(({ commissionRequestDate = "" }) => commissionRequestDate !== "").filter(Boolean),
    ).toHaveLength(2);

    const invoice = await by.call<string>("GET", `/v2/commissions/requests/${created.requestId}/invoice`);
    expect(invoice.headers.get("content-type")).toBe("application/pdf");
    expect(invoice.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''May%20invoice.pdf");
    expect(invoice.bytes).toEqual(bytes);
  });

  test("is neither made nor given an invoice by a key from the moment it is revoked", async () => {
    const by = await tenants.newTenant();
    const [first, second] = (await earnMany(by, 2)) as [Commission, Commission];
    const { requestId } = await mustRequest(by, [first]);
    await tenants.change("keys", "revoke", `key-${by.tenantId}`);
    // The authorizer's answer is still good for the same key.
    const outstanding = await outstandingOf(by);
    expectEnvelope(await request(by, fieldsFor([second])), 401, "[GEN9001]");
    const form = requestForm({ invoice: pdfFile(pdf(), "invoice.pdf") });
    expectEnvelope(await by.call("PUT", `/v2/commissions/requests/${requestId}`, { form }), 401, "[GEN9001]");
    expect(await outstandingOf(by)).toEqual(outstanding);
    expect(await by.must("GET", `/v2/commissions/requests/${requestId}`)).toMatchObject({ hasInvoice: false });
  });

  test("may say its total with fewer decimals, but not another one", async () => {
    const by = await tenants.newTenant({ commissionSpread: "0.5" });
    const commission = await earn(by, { amount: 1000 });
    const fields = fieldsFor([commission]);
    const wrong = await request(by, { ...fields, commissionTotalAmount: "0.01" });
    expectShape(wrong, "commissionTotalAmount");
    expect(JSON.stringify(wrong.body)).toContain(commission.commissionAmount);
    const exact = `${commission.commissionAmount.replace(/0+$/, "")}0000`;
    expect((await request(by, { ...fields, commissionTotalAmount: exact })).status).toBe(201);
  });

  test("of commissions in two currencies is refused", async () => {
    const by = await tenants.newTenant();
    const two = await Promise.all([earn(by), earn(by, { countryCode: "GB" })]);
    const refused = await request(by, fieldsFor(two));
    expectShape(refused, "paymentIds");
    expect(JSON.stringify(refused.body)).toContain("BRL, GBP");
    expect((await outstandingOf(by)).items).toHaveLength(2);
  });

  test("that names a commission which is not outstanding is refused as a whole", async () => {
    const by = await tenants.newTenant();
    const [taken, free] = (await earnMany(by, 2)) as [Commission, Commission];
    await mustRequest(by, [taken]);
    const refused = await request(by, fieldsFor([taken, free]));
    expectEnvelope(refused, 409, "[COM0001]");
    expect(refused.body).toMatchObject({ details: { paymentIds: [taken.paymentId] } });
    expect((await outstandingOf(by)).items.map(({ paymentId }) => paymentId)).toEqual([free.paymentId]);
  });

  test("of unknown payments, and of another tenant's, is refused alike", async () => {
    const [by, other] = await Promise.all([tenants.newTenant(), tenants.newTenant()]);
    const commission = await earn(other, { amount: 900 });
    const fields = fieldsFor([commission]);
    const foreign = await request(by, fields);
    const unknown = await request(by, { ...fields, paymentIds: "[12345]" });
    expectShape(foreign, "paymentIds");
    expect(problemsOf(unknown)[0]?.replace("12345", String(commission.paymentId))).toBe(problemsOf(foreign)[0]);
  });

  const good = { paymentIds: "[1]", commissionTotalAmount: "1.00" };
  test.each([
    ["no payments", { ...good, paymentIds: undefined }, "paymentIds"],
    ["an empty list", { ...good, paymentIds: "[]" }, "paymentIds"],
    ["a list that is no JSON", { ...good, paymentIds: "1,2" }, "paymentIds"],
    ["an object", { ...good, paymentIds: '{"a":1}' }, "paymentIds"],
    ["ids that are text", { ...good, paymentIds: '["1"]' }, "paymentIds.0"],
    ["fractions", { ...good, paymentIds: "[1,1.5]" }, "paymentIds.1"],
    ["negative ids", { ...good, paymentIds: "[-1]" }, "paymentIds.0"],
    ["one payment twice", { ...good, paymentIds: "[7,7]" }, "paymentIds"],
    [
      "too many payments",
      { ...good, paymentIds: JSON.stringify(Array.from({ length: 5001 }, (_, i) => i + 1)) },
      "paymentIds",
    ],
    ["no total", { ...good, commissionTotalAmount: undefined }, "commissionTotalAmount"],
    ["a total that is no decimal", { ...good, commissionTotalAmount: "1,00" }, "commissionTotalAmount"],
    ["a total of nothing", { ...good, commissionTotalAmount: "0.00" }, "commissionTotalAmount"],
    ["a part that nobody asked for", { ...good, note: "please" }, "note"],
    ["an invoice that is text", { ...good, invoice: "%PDF-1.7" }, "invoice"],
    ["payments as a file", { ...good, paymentIds: pdfFile(pdf(), "ids.pdf") }, "paymentIds"],
    ["an empty invoice", { ...good, invoice: pdfFile(new Uint8Array(), "empty.pdf") }, "invoice"],
  ])("with %s names the part that is wrong", async (_what, fields, named) => {
    expectShape(await request(client, fields), named);
  });

  test("with several things wrong names them all", async () => {
    const fields = { note: "please", invoice: "%PDF", paymentIds: pdfFile(pdf(), "ids.pdf") };
    expectShape(await request(client, fields), "commissionTotalAmount", "invoice", "note", "paymentIds");
  });

  test("takes an invoice of exactly 4 MB that is a PDF, and no other", async () => {
    const by = await tenants.newTenant();
    const fields = fieldsFor([await earn(by)]);
    const limit = 4 * 1024 * 1024;
    const tooLarge = await request(by, { ...fields, invoice: pdfFile(pdf(limit + 1), "a.pdf") });
    expectEnvelope(tooLarge, 413, "[GEN9013]");
    const picture = new Uint8Array([0xff, 0xd8, 0xff, 0xe0]);
    expectEnvelope(await request(by, { ...fields, invoice: pdfFile(picture, "a.pdf") }), 415, "[GEN9015]");
    expect((await request(by, { ...fields, invoice: pdfFile(pdf(limit), "a.pdf") })).status).toBe(201);
  });

  test("as JSON is refused", async () => {
    const asJson = await client.call("POST", "/v2/commissions/requests", { body: good });
    expectEnvelope(asJson, 415, "[GEN9015]");
  });
});

describe.concurrent("an invoice", () => {
  test("may come later and be replaced while the request is submitted", async () => {
    const by = await tenants.newTenant();
    const { requestId } = await mustRequest(by, [await earn(by)]);
    const path = `/v2/commissions/requests/${requestId}`;
    expectEnvelope(await by.call("GET", `${path}/invoice`), 404, "[GEN9003]");
    for (const bytes of [pdf(), pdf(900)]) {
      const form = fileForm(bytes, "later.pdf", "application/pdf", "invoice");
      expect(await by.must("PUT", path, { form })).toMatchObject({ requestId, hasInvoice: true, paymentCount: 1 });
      expect((await by.call("GET", `${path}/invoice`)).bytes).toEqual(bytes);
    }
    const longest = `${"x".repeat(254)}🏫`;
    await by.must("PUT", path, { form: fileForm(pdf(), longest, "application/pdf", "invoice") });
    expect((await by.call("GET", `${path}/invoice`)).headers.get("content-disposition")).toContain(
      encodeURIComponent(longest),
    );
    const wrong = await by.call("PUT", path, { form: fileForm(pdf()) });
    expectShape(wrong, "file", "invoice");
    const noFile = requestForm({ invoice: "%PDF-1.7" });
    expectShape(await by.call("PUT", path, { form: noFile }), "invoice");
  });

  test("is refused for a request that is decided, unknown or another tenant's", async () => {
    const by = await tenants.newTenant();
    const { requestId } = await mustRequest(by, [await earn(by)]);
    const put = (who: Client, id: string) =>
      who.call("PUT", `/v2/commissions/requests/${id}`, {
        form: fileForm(pdf(), "a.pdf", "application/pdf", "invoice"),
      });
    expectEnvelope(await put(openClient(client.url, BASIC), requestId), 404, "[GEN9003]");
    expectEnvelope(await put(by, "0".repeat(24)), 404, "[GEN9003]");
    await tenants.change("commission-requests", "reject", requestId, "--tenant", by.tenantId);
    expectEnvelope(await put(by, requestId), 409, "[COM0001]");
  });
});

describe.concurrent("an operator", () => {
  test("pays a request with a proof, and its tenant sees it", async () => {
    const by = await tenants.newTenant();
    const commissions = await earnMany(by, 2);
    const { requestId } = await mustRequest(by, commissions);
    const path = `/v2/commissions/requests/${requestId}`;
    expectEnvelope(await by.call("GET", `${path}/proof`), 409, "[COM0001]");
    const file = join(folder, "proof.pdf");
    writeFileSync(file, pdf());
    const decide = ["commission-requests", "pay", requestId, "--tenant", by.tenantId, "--proof", file];
    expect(await tenants.change(...decide)).toMatchObject({ requestId, status: "paid", paymentCount: 2 });

    expect(await by.must("GET", path)).toMatchObject({ status: "paid", hasProof: true, decidedOn: expect.any(String) });
    const proof = await by.call<string>("GET", `${path}/proof`);
    expect([proof.headers.get("content-type"), Buffer.compare(proof.bytes, readFileSync(file))]).toEqual([
      "application/pdf",
      0,
    ]);
    const { commissions: paid } = await by.must<{ commissions: Commission[] }>("GET", "/v2/commissions");
    expect(paid.map(({ commissionPaidDate }) => commissionPaidDate)).toEqual([expect.any(String), expect.any(String)]);
    expect(await outstandingOf(by)).toMatchObject({ items: [], totals: [] });
    const audit = await tenants.auditOf(by.tenantId);
    expect(audit).toMatchObject([
      { operator: "olga", action: "commission-requests.paid", reason: "ticket 7", data: { requestId } },
    ]);
    const refused = await tenants.run(...decide, "--yes", "--reason", "again");
    expect(refused).toMatchObject({ code: 4, stdout: "", stderr: "The request is paid, not submitted\n" });
    expectEnvelope(await request(by, fieldsFor(commissions)), 409, "[COM0001]");
  });

  test("rejects a request with a reason, and its payments can be requested again", async () => {
    const by = await tenants.newTenant();
    const commissions = await earnMany(by, 2);
    const { requestId } = await mustRequest(by, commissions);
    const before = await by.must("GET", "/v2/commissions");
    const decide = ["commission-requests", "reject", requestId, "--tenant", by.tenantId];
    const unexplained = await tenants.run(...decide, "--yes");
    expect(unexplained.stderr).toMatch(/--reason/);
    await tenants.change(...decide);
    expect(await by.must("GET", `/v2/commissions/requests/${requestId}`)).toMatchObject({
      status: "rejected",
      reason: "ticket 7",
      paymentCount: 2,
    });
    expectEnvelope(await by.call("GET", `/v2/commissions/requests/${requestId}/proof`), 409, "[COM0001]");
    const { items, totals } = await outstandingOf(by);
    expect([items.length, totals[0]?.amount]).toEqual([2, fieldsFor(commissions).commissionTotalAmount]);
    expect(JSON.stringify(before)).toContain("commissionRequestDate");
    expect(JSON.stringify(await by.must("GET", "/v2/commissions"))).not.toContain("commissionRequestDate");
    const again = await mustRequest(by, commissions);
    expect(again.status).toBe("submitted");
    const { stdout } = await tenants.run("commission-requests", "list", "--tenant", by.tenantId, "--json");
    expect(JSON.parse(stdout)).toMatchObject([
      { requestId: again.requestId, status: "submitted" },
      { requestId, status: "rejected" },
    ]);
  });

  test.each([
    ["an unknown request", (tenantId: string) => ["reject", "0".repeat(24), "--tenant", tenantId], /no such request/],
    [
      "a proof that is not there",
      (id: string) => ["pay", "x", "--tenant", id, "--proof", "none.pdf"],
      /cannot be read/,
    ],
    ["a proof that is no PDF", (id: string) => ["pay", "x", "--tenant", id, "--proof", "package.json"], /is no PDF/],
  ])("is refused with %s", async (_what, command, why) => {
    const { code, stderr } = await tenants.run("commission-requests", ...command("1001"), "--yes", "--reason", "no");
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringMatching(why) });
  });
});

test("fifty requests at once over payments that overlap never take one twice", async () => {
  const by = await tenants.newTenant();
  const earned = await earnMany(by, 6);
  const asked = Array.from({ length: 50 }, (_, index) => [0, 1, 2].map((step) => earned[(index + step) % 6]!));
  await Promise.all(asked.map((commissions) => request(by, fieldsFor(commissions))));
  const { requests } = await by.must<{ requests: CommissionRequest[] }>("GET", "/v2/commissions/requests");
  const held = requests.flatMap(({ payments }) => payments.map(({ paymentId }) => paymentId));
  expect(held.length).toBeGreaterThan(0);
  expect(new Set(held).size).toBe(held.length);
});
