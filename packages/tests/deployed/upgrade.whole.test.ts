import { join } from "node:path";
import { STORED_FORMAT } from "@intents/deployment/stored-format.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Client, fileForm, type Intent, pdf } from "../service/client.ts";
import { launchService, runToEnd } from "../service/service.ts";
import { newKey } from "../service/tuition.ts";
import { type Earlier, findEarlier } from "./earlier.ts";
import { type Emulator, startEmulator } from "./emulator.ts";
import { findMinistack } from "./ministack.ts";
import { beginPayment, endPayment } from "./payments.ts";
import { openStage, root } from "./stage.ts";

const ministack = await findMinistack();
if ("missing" in ministack) test("an upgrade", ({ skip }) => skip(ministack.missing));
else describe("a stage of an earlier version", () => upgrade(ministack.python));

/** One stage from its first deployment: each test builds on the state that earlier ones left. */
function upgrade(python: string): void {
  let emulator: Emulator;
  let earlier: Earlier;
  let stage: ReturnType<typeof openStage>;
  let client: Client;
  let payeeId: number;
  let paid: Intent;
  let begun: Intent;
  const key = newKey();
  const bytes = pdf(1_000).map((byte, index) => (index < 100 ? byte : index));
  let content: string;

  const statusOf = async ({ id }: Intent) => (await client.getIntent(id)).status;
  const end = (intent: Intent) => endPayment(emulator, stage, client, intent);

  beforeAll(async () => {
    earlier = await findEarlier();
    emulator = await startEmulator(python);
    stage = openStage(emulator);
    // Another stored format is not upgraded.
    client = await openStage(emulator, earlier.format === STORED_FORMAT ? earlier.from : root).begin();
  }, 600_000);
  afterAll(() => emulator?.stop());
  beforeEach(({ onTestFailed }) => onTestFailed(() => void process.stdout.write(`deployed tier: ${emulator.log()}\n`)));

  test("takes one payment to its end, and begins another", async () => {
    const { _id } = await client.newStudent();
    const uploaded = await client.must<{ documentId: string }>("POST", "/v2/documents", { form: fileForm(bytes) });
    const { legacyDocumentId } = await client.saveDocument(`/v2/students/${_id}`, uploaded.documentId);
    content = `/v2/students/${_id}/documents/${legacyDocumentId}/content`;
    payeeId = (await client.newPayee()).id;
    paid = await beginPayment(client, payeeId);
    await end(paid);
    begun = await beginPayment(client, payeeId, key);
  });

  test("upgraded, has kept payments, documents and keys, and ends the payment that began before", async () => {
    await stage.deploy();
    expect(await statusOf(paid)).toBe("completed");
    expect(Buffer.compare((await client.call("GET", content)).bytes, bytes)).toBe(0);
    expect((await client.submit(begun.id, key)).headers.get("idempotent-replayed")).toBe("true");
    await end(begun);
    expect(await stage.operate("ledger verify")).toMatchObject({ problems: 0 });
  });

  test("lets an operator read everything and change nothing by OperatorLooks, and change by OperatorChanges", async () => {
    const look = stage.operateAs(await operatorWith(emulator, stage.names.service, "OperatorLooksArn"));
    const lists = ["keys list", "audit", "intents list", "commission-requests list", "reconciliation list"];
    const all = ["queue show", "ledger verify", "todo", "maintenance status", "tenants list"];
    const some = [...lists, `find ${paid.id}`].map((command) => `${command} --tenant 1001`);
    await Promise.all([...all, ...some].map((command) => look(command)));
    const denied = /ended with 3\n.*(not authorized|AccessDenied)/s;
    for (const command of ["maintenance on", "tenants suspend 1001", "keys revoke first", "queue redrive"])
      await expect(look(command), command).rejects.toThrow(denied);
    const both = await operatorWith(emulator, stage.names.service, "OperatorLooksArn", "OperatorChangesArn");
    const change = stage.operateAs(both);
    for (const command of [
      ...["keys create second --tenant 1001", "keys rotate second", "keys revoke second", "tenants suspend 1001"],
      ...["tenants resume 1001", "maintenance on", "maintenance off", "queue redrive", "ledger match --tenant 1001"],
    ])
      await change(command);
  });

  test("goes back, and ends the payment that the later version began, or refuses data of another stored format", async () => {
    if (earlier.format !== STORED_FORMAT) return expectRefusal(earlier, join(emulator.folder, "kept"));
    const later = await beginPayment(client, payeeId);
    await openStage(emulator, earlier.from).deploy();
    await end(later);
    for (const payment of [paid, begun]) expect(await statusOf(payment)).toBe("completed");
    await end(await beginPayment(client, payeeId));
    expect(await stage.operate("ledger verify")).toMatchObject({ problems: 0 });
  });
}

/** The earlier version starts on no data that this one keeps. */
async function expectRefusal({ from }: Earlier, DATA_DIR: string): Promise<void> {
  await (await launchService({ DATA_DIR })).stop();
  const { exitCode, stderr } = await runToEnd({ DATA_DIR }, join(from, "packages/local/src/start.ts"));
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^DATA_DIR .+ stored format .+\n$/);
}

type Described = Readonly<{
  Stacks: [Readonly<{ Outputs: readonly Readonly<Record<"OutputKey" | "OutputValue", string>>[] }>];
}>;
type NewKey = Readonly<{ AccessKey: Readonly<{ AccessKeyId: string; SecretAccessKey: string }> }>;

/** The credentials of a new user who has the stage's policies of these outputs, and nothing else. */
async function operatorWith({ call }: Emulator, StackName: string, ...outputs: readonly string[]) {
  const UserName = outputs.join("-");
  const { Stacks } = await call<Described>("cloudformation", "describe_stacks", { StackName });
  await call("iam", "create_user", { UserName });
  for (const { OutputKey, OutputValue: PolicyArn } of Stacks[0].Outputs)
    if (outputs.includes(OutputKey)) await call("iam", "attach_user_policy", { UserName, PolicyArn });
  const { AccessKey } = await call<NewKey>("iam", "create_access_key", { UserName });
  return { AWS_ACCESS_KEY_ID: AccessKey.AccessKeyId, AWS_SECRET_ACCESS_KEY: AccessKey.SecretAccessKey };
}
