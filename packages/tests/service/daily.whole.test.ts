import { paginateScan, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { isAllowed } from "@intents/infra/judge-fixture.ts";
import { readEventFile, setupPath } from "@intents/local/events/event.ts";
import { openStage, replayEvent, type Stage } from "@intents/local/events/stage.ts";
import { openReplayStores } from "@intents/local/events/stores.ts";
import { listFiles, openFiles, putFile } from "@intents/storage/files/files.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { noRateLimit, pdf } from "./client.ts";
import { commissionOf, mustRequest } from "./commissions.ts";
import { askedOf, readPolicies } from "./granted.ts";
import { publishLink } from "./links.ts";
import { openOperatedService } from "./service-fixture.ts";
import { create, newDraft, newKey, tuition } from "./tuition.ts";
import { noteGrants } from "./used-grants.ts";

// The daily function as it is bundled, on the stores of a service, with all the work that it may find, and judged by what
// it is granted.

const { service, client, operator } = await openOperatedService({ ...noRateLimit, SANDBOX_SETTLE_SECONDS: "1" });
const environment = { ...process.env };
const YEARS = 6 * 366 * 86_400_000;
const policy = readPolicies()["daily"] ?? [];
const table = () => operator.table;
let stage: Stage;

beforeAll(async () => {
  const { port } = new URL(service.url);
  stage = openStage(await openReplayStores({ env: process.env, port, throwAway: false }));
  // More partitions than the service has ever written to.
  process.env["TIMER_SHARDS"] = "2";
});
afterAll(async () => {
  vi.useRealTimers();
  await stage.stores.stop();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});

/** Runs the function, which must succeed by calls that it is granted. */
async function runDaily(): Promise<void> {
  const { fault, log, calls } = await replayEvent(stage, readEventFile(setupPath("daily/day.json")), {});
  const asked = calls.flatMap(askedOf);
  noteGrants("daily", asked);
  expect([fault, log.filter((line) => line.includes("ERROR"))]).toEqual([undefined, []]);
  expect(asked.filter((call) => !isAllowed(policy, call))).toEqual([]);
}

const remove = (Key: Readonly<Record<string, string>>, ...names: readonly string[]) =>
  table().db.send(new UpdateCommand({ TableName: table().name, Key, UpdateExpression: `REMOVE ${names.join(", ")}` }));

test("daily gives everything its timer and its watch that lacks it", async () => {
  const [draft, running] = await Promise.all([
    newDraft(client),
    tuition(client, { pick: ({ settlementMethod }) => settlementMethod === "card" }).then(({ body }) =>
      create(client, body),
    ),
  ]);
  await client.submit(running.id, newKey());
  const earned = await commissionOf(client, (await paidTuition()).id);
  const { requestId } = await mustRequest(client, earned === undefined ? [] : [earned]);
  const keys = keysOf("1001");
  await remove(keys.intent(draft.id), "dueShard", "dueAt", "timer");
  await remove(keys.intent(running.id), "watchPK", "watchSK");
  const atWork = keys.requestsAtWork();
  await table().db.send(
    new UpdateCommand({
      TableName: table().name,
      Key: keys.commissionRequest(requestId),
      UpdateExpression: "SET ownerPK = :owner, listSK = :id REMOVE dueShard, dueAt, #timer",
      ExpressionAttributeNames: { "#timer": "timer" },
      ExpressionAttributeValues: { ":owner": atWork, ":id": requestId },
    }),
  );
  await runDaily();
  const found = new Map<string, Record<string, unknown>>();
  for await (const { Items = [] } of paginateScan({ client: table().db }, { TableName: table().name }))
    for (const item of Items) found.set(`${item["PK"]} ${item["SK"]}`, item);
  const at = ({ PK, SK }: Readonly<{ PK: string; SK: string }>) => found.get(`${PK} ${SK}`) ?? {};
  expect(at(keys.intent(draft.id))).toHaveProperty("dueShard");
  expect(at(keys.intent(running.id))).toHaveProperty("watchPK");
  expect(at(keys.commissionRequest(requestId))).toHaveProperty("dueShard");
});

const paidTuition = async () => {
  const { id } = await newDraft(client);
  await client.submit(id, newKey());
  return client.waitForStatus(id, "completed");
};

test("daily deletes what nobody needs any more: saved documents, those of payments, payers' uploads, and files without a record", async () => {
  const files = openFiles(process.env["BUCKET_NAME"] ?? "");
  const stored = async () => {
    const all: string[] = [];
    for (const prefix of ["kept/", "saved/", "requests/", "payers/kept/"])
      for await (const page of listFiles(files, prefix)) all.push(...page.map(({ key }) => key));
    return all;
  };
  // Running payments keep their files.
  const before = await stored();
  const [student, payer] = await Promise.all([client.newStudent(), client.newPayer()]);
  for (const path of [`/v2/students/${student._id}`, `/v2/payers/${payer._id}`]) await client.saveDocument(path);
  await paidTuition();
  const link = await publishLink(client);
  const session = { ...(await link.payer.sessionBody()), documentIds: [await link.payer.upload()] };
  await link.payer.waitForPayment((await link.payer.open(session)).paymentIntentId, "completed");
  const keys = keysOf("1001");
  const [party, uuid] = ["0".repeat(24), "77777777-7777-4777-8777-777777777777"];
  const lost = [keys.savedFile("STUDENT", party, uuid), keys.requestFile(party, uuid)];
  for (const key of lost) await putFile(files, key, pdf(), "application/pdf");
  expect((await stored()).length).toBeGreaterThanOrEqual(before.length + 6);
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(Date.now() + YEARS);
  await runDaily();
  vi.useRealTimers();
  expect((await stored()).filter((key) => !before.includes(key))).toEqual([]);
  for (const path of [`/v2/students/${student._id}`, `/v2/payers/${payer._id}`])
    expect(await client.must("GET", `${path}/documents`)).toEqual({ documents: [] });
});
