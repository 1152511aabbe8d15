import { describe, expect, test } from "vitest";
import { BASIC, type Data, type ErrorBody, type Intent, openClient, type Variant } from "./client.ts";
import { expectEnvelope } from "./refusals.ts";
import { eventually, openService } from "./service-fixture.ts";
import { create, dryRun, newDraft, newKey, railPayments, tuition } from "./tuition.ts";

const { client, service } = await openService();

const isCard = ({ settlementMethod }: Variant) => settlementMethod === "card";
const walked = ["draft", "ready_for_quote", "quoted", "ready_for_execution", "executing"];
type Submitted = Intent & {
  executions: readonly {
    payer: object;
    subject?: object;
    checkoutUrl?: string;
    cause?: string;
    legs: readonly object[];
  }[];
  statusHistory: readonly { status: string; at: string }[];
};

/** The paths of objects that state an amount and no currency. */
function amountsAlone(value: unknown, path = ""): string[] {
  const fields = Object.entries(Object(value)).filter(([, field]) => typeof value !== "string" && field !== undefined);
  const names = fields.map(([name]) => name);
  const isAlone = names.some((name) => /amount$|^fee$/i.test(name)) && !names.some((name) => /currency$/i.test(name));
  return [...(isAlone ? [path] : []), ...fields.flatMap(([name, field]) => amountsAlone(field, `${path}.${name}`))];
}

async function pay(body: object, key = newKey()): Promise<Submitted> {
  const { id } = await create(client, body);
  const reply = await client.submit<Data<Submitted>>(id, key);
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  return reply.body.data;
}

describe.concurrent("a submitted intent", () => {
  test.each(["student", "family", "agent", "external_school", "external_partner"])(
    "of a %s executes in the forward order, and completes by polling",
    async (role) => {
      const { body } = await tuition(client, {
        payer: { role, details: { firstName: "Ana", lastName: "Silva", email: `${newKey()}@example.com` } },
      });
      const submitted = await pay(body);
      expect(submitted.status).toBe("executing");
      expect(submitted.statusHistory.map(({ status }) => status)).toEqual(walked);
      expect(submitted.executions).toEqual([
        expect.objectContaining({ status: "executing", connectorPaymentIds: [expect.any(Number)] }),
      ]);
      const completed = (await client.waitForStatus(submitted.id, "completed")) as Submitted;
      expect(completed.statusHistory.map(({ status }) => status)).toEqual([...walked, "completed"]);
      expect(completed.executions).toMatchObject([{ status: "completed", legs: [{ status: "cleared" }] }]);
      expect(await railPayments(client, submitted.id)).toHaveLength(1);
    },
  );

  test("without an Idempotency-Key is paid as well, and once", async () => {
    const { id } = await newDraft(client);
    expect((await client.submit(id)).status).toBe(200);
    expectEnvelope(await client.submit<ErrorBody>(id), 409, "[GEN9009]");
    expect(await railPayments(client, id)).toHaveLength(1);
  });

  test("shows its last payment and rail in the list, as the service stored them", async () => {
    const { id, executions } = await pay((await tuition(client)).body);
    const listed = async () => {
      const { paymentIntents } = await client.must<{ paymentIntents: Intent[] }>(
        "GET",
        "/v2/payment-intents?limit=1000",
      );
      return paymentIntents.find((item) => item.id === id);
    };
    const item = {
      _id: id,
      lastConnectorPaymentId: executions[0]?.connectorPaymentIds[0],
      lastExecutionConnector: "sandbox",
    };
    await eventually(async () => expect(await listed()).toMatchObject(item));
  });

  test("states no amount without its currency beside it, from its plan to its payouts", async () => {
    const { id } = await newDraft(client, { payeeIds: [5001, 5010] });
    await client.must("POST", `/v2/payment-intents/${id}/draft`);
    await client.submit(id, newKey());
    const { recipients: asStated, ...paid } = await client.getIntent(id);
    expect(amountsAlone(paid)).toEqual([]);
    expect(paid).toMatchObject({
      executionPlan: { legs: [{ payerCurrency: "BRL", payeeCurrency: "AUD" }, { payerCurrency: "BRL" }] },
      executions: [{ legs: [{ payerCurrency: "BRL", payeeCurrency: "AUD" }, { payerCurrency: "BRL" }] }],
      connectorPayment: { payouts: [{ payerCurrency: "BRL", payeeCurrency: "AUD" }, { payerCurrency: "BRL" }] },
    });
  });

  test("that was never submitted stays a draft, however long the rail takes", async () => {
    const { id } = await newDraft(client);
    await client.waitForStatus((await pay((await tuition(client)).body)).id, "completed");
    expect(await client.getIntent(id)).toMatchObject({ status: "draft", executions: [] });
  });
});

describe("a bank transfer", () => {
  test.each([
    ["AU", "AUD", ["bsb"]],
    ["US", "USD", ["aba"]],
    ["DE", "EUR", ["iban", "swift"]],
    ["BR", "BRL", ["swift"]],
    ["GB", "GBP", ["swift"]],
  ])(
    "from %s in %s is deposited to an account with %j, quoting the payment id",
    async (countryCode, currency, fields) => {
      const { body, quote, variant } = await tuition(client, { countryCode, payeeIds: [5001], reference: "term 1" });
      const { connectorPayment, executions } = await pay(body);
      const [paymentId] = executions[0]?.connectorPaymentIds ?? [];
      const { transactionBankDetails, dueDate, ...rest } = connectorPayment as Record<string, unknown>;
      const [payout] = quote.payouts;
      expect(rest).toEqual({
        reference: String(paymentId),
        amount: (variant["fromAmount"] as number).toFixed(2),
        currency,
        payouts: [
          {
            payeeName: "University of Sydney",
            payerAmount: payout?.payerAmount.toFixed(2),
            payerCurrency: currency,
            payeeAmount: "1500.00",
            payeeCurrency: "AUD",
            reference: "term 1",
          },
        ],
      });
      expect(Date.parse(String(dueDate))).toBeGreaterThan(Date.now());
      const always = ["accountNumber", "bankName", "beneficiaryName"];
      expect(Object.keys(transactionBankDetails as object).toSorted()).toEqual([...always, ...fields].toSorted());
      expect(executions[0]).not.toHaveProperty("checkoutUrl");
    },
  );

  test("to two payees lists both in the order of the recipients, and pays them under one payment id", async () => {
    const { body } = await tuition(client, { payeeIds: [5001, 5010] });
    const recipients = body.recipients.map((recipient, index) => ({ ...recipient, order: 1 - index }));
    const { connectorPayment, executions } = await pay({ ...body, recipients });
    expect(connectorPayment).toMatchObject({
      payouts: [{ payeeName: "Melbourne Language Institute" }, { payeeName: "University of Sydney" }],
    });
    expect(executions).toMatchObject([
      { connectorPaymentIds: [expect.any(Number)], legs: [{ order: 0, payeeId: 5010 }, { order: 1 }] },
    ]);
  });
});

describe.concurrent("a checkout", () => {
  async function open() {
    const { body } = await tuition(client, { pick: isCard });
    const submitted = await pay(body);
    const url = submitted.executions[0]?.checkoutUrl ?? "";
    const finish = (outcome: string) => fetch(url, { method: "POST", body: new URLSearchParams({ outcome }) });
    return { submitted, url, finish };
  }

  test("has an address to pay at and no bank details, and completes once it is paid", async () => {
    const { submitted, url, finish } = await open();
    expect(submitted).not.toHaveProperty("connectorPayment");
    expect(url.startsWith(`${service.url}/`)).toBe(true);
    expect((await fetch(url)).status).toBe(200);
    expect((await finish("pay")).status).toBe(200);
    expect(await client.waitForStatus(submitted.id, "completed")).toMatchObject({
      executions: [{ status: "completed" }],
    });
    expect((await finish("pay")).status).toBe(200);
  });

  test("that is declined fails, with the cause on the execution, and cannot be paid after all", async () => {
    const { submitted, finish } = await open();
    expect((await finish("decline")).status).toBe(200);
    expect(await client.waitForStatus(submitted.id, "failed")).toMatchObject({
      executions: [{ cause: expect.stringMatching(/\w/) }],
    });
    await finish("pay");
    expect((await client.getIntent(submitted.id)).status).toBe("failed");
  });
});

describe("the payer of an execution", () => {
  const payerOf = ({ executions }: Submitted) => executions[0]?.payer;

  test("is the saved student, as saved when the intent was submitted", async () => {
    const { body, studentId } = await tuition(client);
    const student = await client.must<Record<string, string>>("PUT", `/v2/students/${studentId}`, {
      body: { phone: "+5511987654321" },
    });
    const submitted = await pay(body);
    const { firstName, lastName, email, phone } = student;
    expect(payerOf(submitted)).toEqual({ firstName, lastName, email, phone });
    await client.must("PUT", `/v2/students/${studentId}`, { body: { firstName: "Renamed" } });
    expect(payerOf((await client.getIntent(submitted.id)) as Submitted)).toEqual({ firstName, lastName, email, phone });
  });

  test("is the saved payer, in the field names of details", async () => {
    const { _id: partyId, email } = await client.newPayer({
      profile: { firstName: "Rui", dob: "1970-01-31" },
      address: { country: "PT", line1: "Rua 1", postalCode: "4000-000" },
    });
    const { body } = await tuition(client, { payer: { role: "family", partyId } });
    expect(payerOf(await pay(body))).toEqual({
      payerType: "individual",
      email,
      firstName: "Rui",
      dob: "1970-01-31",
      addressLine1: "Rua 1",
      postcode: "4000-000",
      countryCode: "PT",
    });
  });

  test("is the inline details exactly when both are given, and the saved record stays as it was", async () => {
    const { body, studentId } = await tuition(client);
    const before = await client.must("GET", `/v2/students/${studentId}`);
    const details = { firstName: " Zoë ", lastName: "O’Neil", email: "ZOE@Example.com" };
    const submitted = await pay({ ...body, payer: { role: "student", partyId: studentId, details } });
    expect(payerOf(submitted)).toEqual(details);
    expect(submitted["payer"]).toEqual({ role: "student", partyId: studentId, details });
    expect(await client.must("GET", `/v2/students/${studentId}`)).toEqual(before);
  });

  test("is stored beside the subject, who is looked up in the same way", async () => {
    const { body, studentId } = await tuition(client, {
      payer: { role: "agent", details: { firstName: "Ana", lastName: "Silva", email: `${newKey()}@example.com` } },
    });
    const submitted = await pay({ ...body, subject: { role: "student", partyId: studentId } });
    expect(submitted.executions[0]?.subject).toMatchObject({ firstName: "Ana", lastName: "Silva" });
  });
});

describe("a document", () => {
  const path = "instructions.manualPayment.payerIdentityDocumentId";
  const mint = async (studentId: string) => {
    const party = `/v2/students/${studentId}`;
    const { legacyDocumentId } = await client.saveDocument(party);
    return (await client.must<{ documentId: string }>("POST", `${party}/documents/${legacyDocumentId}/use`)).documentId;
  };

  test.each([
    ["uploaded", async () => client.uploadPdf()],
    ["minted", (studentId: string) => mint(studentId)],
  ])("that was %s serves one submitted intent, and is refused to the next", async (_, make) => {
    const { body, studentId } = await tuition(client);
    const payerIdentityDocumentId = await make(studentId);
    const named = (changes: object = {}) => ({
      ...body,
      ...changes,
      instructions: { manualPayment: { ...body.instructions.manualPayment, payerIdentityDocumentId } },
    });
    await pay(named());
    const second = await create(client, named());
    const refused = await client.submit<ErrorBody>(second.id, newKey());
    expectEnvelope(refused, 400, "[GEN9002]");
    expect(refused.body.details).toMatchObject({ missingRequirements: [path] });
    expect(await railPayments(client, second.id)).toEqual([]);
  });

  test("may prove the purpose of each leg, one upload for each", async () => {
    const { body } = await tuition(client, { payeeIds: [5001, 5010] });
    const [first, second] = [await client.uploadPdf(), await client.uploadPdf()];
    const proving = (...ids: string[]) => ({
      ...body,
      recipients: body.recipients.map((recipient, index) => ({ ...recipient, purposeProofDocumentId: ids[index] })),
    });
    const twice = await create(client, proving(first, first));
    const refused = await client.submit<ErrorBody>(twice.id);
    expect(refused.body.details).toMatchObject({ missingRequirements: ["documents.uniqueDocumentIds"] });
    expect((await pay(proving(first, second))).status).toBe("executing");
  });
});

describe("a payee of another tenant", () => {
  test("is fine for a quote, a draft and a dry-run, and refused at submit alone, with the reason", async () => {
    const { id: payeeId } = await openClient(service.url, BASIC).newPayee();
    const { body } = await tuition(client, { payeeIds: [payeeId] });
    const { id } = await create(client, body);
    expect((await dryRun(client, id)).rule).toEqual({ status: "enabled", missingRequirements: [] });
    const refused = await client.submit<ErrorBody>(id, newKey());
    expectEnvelope(refused, 400, "[GEN9002]");
    expect(refused.body.details).toMatchObject({
      missingRequirements: ["recipients.0.connectorPayeeId"],
      reason: "the legacy payee is not visible to the executing user",
    });
    expect((await client.getIntent(id)).status).toBe("draft");
  });

  test("is unlike the tenant's own payee and its own company, which are paid", async () => {
    const { id: payeeId } = await client.newPayee();
    for (const id of [payeeId, 1001]) {
      const { body } = await tuition(client, { payeeIds: [id] });
      const recipients = body.recipients.map((recipient) => ({ ...recipient, role: "public_payee" }));
      expect((await pay({ ...body, recipients })).status).toBe("executing");
    }
  });
});
