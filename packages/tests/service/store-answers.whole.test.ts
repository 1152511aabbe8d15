import { afterAll, beforeAll, expect, test } from "vitest";
import {
  BASIC,
  BUSY,
  type Client,
  type ErrorBody,
  noRateLimit,
  openClient,
  type Reply,
  studentBody,
} from "./client.ts";
import { childrenOf, publishLink } from "./links.ts";
import { expectEnvelope } from "./refusals.ts";
import { launchService, type RunningService } from "./service.ts";
import { type Fate, type StoreProxy, startStoreProxy } from "./store-proxy.ts";
import { newDraft, newKey, railPayments } from "./tuition.ts";

let store: StoreProxy;
let service: RunningService;
let client: Client;
beforeAll(async () => {
  store = await startStoreProxy();
  service = await launchService({ ...noRateLimit, DYNAMODB_ENDPOINT: store.endpoint });
  client = openClient(service.url);
});
afterAll(async () => {
  await service.stop();
  await store.stop();
});

/** Gives the first transaction that writes `event` the fate `first`, and lets the store turn the later ones away. */
async function meeting<Value>(first: Fate, event: string, ask: () => Promise<Value>): Promise<Value> {
  let seen = 0;
  store.judge((operation, body) => {
    if (operation !== "TransactWriteItems" || !body.includes(event)) return "passes";
    seen += 1;
    return seen === 1 ? first : "is throttled";
  });
  try {
    return await ask();
  } finally {
    store.judge(() => "passes");
  }
}

test("a submit whose claim lost its answer, and then met a busy store, has an unknown outcome: its claim was written", async () => {
  const { id } = await newDraft(client);
  const key = newKey();
  const answer = await meeting("loses its answer", "paymentIntent.submission_claimed", () =>
    client.submit<ErrorBody>(id, key),
  );
  expectEnvelope(answer, 502, "[PAY0002]");
  // A replay finds the claim, so that the submit did change something.
  const replay = await client.submit<ErrorBody>(id, key);
  expectEnvelope(replay, 409, "[GEN9009]");
  expect(replay.headers.get("retry-after")).toMatch(/^\d+$/);
});

test("a submit and a payer's session that only ever met a busy store changed nothing, say so, and may be repeated", async () => {
  const [{ id }, link, key] = [await newDraft(client), await publishLink(client), newKey()];
  const body = await link.payer.sessionBody();
  for (const ask of [() => client.submit<ErrorBody>(id, key), () => link.payer.askSession(body)]) {
    const answer = await meeting("is throttled", "paymentIntent.submission_claimed", ask);
    expectEnvelope(answer, 503);
    expect(answer.body.message).toContain(BUSY);
    expect(answer.headers.get("retry-after")).toBe("1");
  }
  expect((await childrenOf(client, link.id)).total).toBe(0);
  expect((await client.submit(id, key)).status).toBe(200);
  expect(await link.payer.open(body)).toMatchObject({ status: "executing" });
});

test("a draft whose answer was lost before the store was busy does not claim that nothing was changed", async () => {
  const body = {
    ...{ useCase: "supplier_payment", deliveryMode: "manual", amountMode: "recipient_fixed" },
    payer: { role: "tenant" },
    termsAccepted: true,
  };
  const answer = await meeting("loses its answer", "paymentIntent.created", () =>
    client.call("POST", "/v2/payment-intents", { body }),
  );
  expectEnvelope(answer, 503, "[GEN9000]");
  expect(answer.body.message).toContain("look first what was kept");
  expect(answer.body.message).not.toContain("submit");
  expect(answer.headers.get("retry-after")).toBe("5");
});

test.each(["is throttled", "is lost", "loses its answer"] as const)(
  "a document whose trace of a read %s for good stays where it is: 503, and no byte of it",
  async (fate) => {
    const { _id } = await client.newStudent();
    const { legacyDocumentId } = await client.saveDocument(`/v2/students/${_id}`);
    const read = () => client.call(`GET`, `/v2/students/${_id}/documents/${legacyDocumentId}/content`);
    store.judge((operation, body) => (operation === "PutItem" && body.includes("#READ#") ? fate : "passes"));
    expectEnvelope((await read()) as Reply<ErrorBody>, 503);
    store.judge(() => "passes");
    expect((await read()).headers.get("content-type")).toBe("application/pdf");
  },
);

test("the day of a key's use is one write, however often the key is used", async () => {
  let writes = 0;
  store.judge((operation, body) => {
    if (operation === "UpdateItem" && body.includes("USE#")) writes += 1;
    return "passes";
  });
  const basic = openClient(service.url, BASIC);
  const use = () => Promise.all(Array.from({ length: 20 }, () => basic.must("GET", "/v2/users/me")));
  await use();
  await expect.poll(() => writes).toBe(1);
  await use();
  expect(writes).toBe(1);
});

test("a store whose disk is full fails writes with 503, and reads go on; once there is room, nothing acknowledged is lost", async () => {
  const student = await client.newStudent();
  const { id } = await newDraft(client);
  const key = newKey();
  store.judge((operation) => (/Get|Query|Scan/.test(operation) ? "passes" : "finds the disk full"));
  const writes = await Promise.all([
    client.call("POST", "/v2/students", { body: studentBody() }),
    client.call("PUT", `/v2/students/${student._id}`, { body: { firstName: "Eva" } }),
    client.submit<ErrorBody>(id, key),
  ]);
  for (const answer of writes) {
    expectEnvelope(answer, 503, "[GEN9000]");
    expect(answer.headers.get("retry-after")).toBe("5");
  }
  expect((await client.call("GET", `/v2/students/${student._id}`)).status).toBe(200);
  expect((await client.getIntent(id)).status).toBe("draft");
  expect(service.output()).toContain("database or disk is full");
  store.judge(() => "passes");
  expect(await client.must("GET", `/v2/students/${student._id}`)).toEqual(student);
  expect((await client.submit(id, key)).status).toBe(200);
  expect(await railPayments(client, id)).toHaveLength(1);
});
