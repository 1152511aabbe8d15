import { join } from "node:path";
import { STORED_FORMAT } from "@intents/deployment/stored-format.ts";
import { expect, test } from "vitest";
import { type Client, type Data, type Intent, openClient } from "../service/client.ts";
import { launchService, runToEnd } from "../service/service.ts";
import { newKey } from "../service/tuition.ts";
import { findEarlier } from "./earlier.ts";
import type { Emulator } from "./emulator.ts";
import { expectRefused } from "./refused.ts";
import { copyTable } from "./restored.ts";
import { openStage } from "./stage.ts";

/** The remains of earlier tests: a stage with a completed payment. */
type Left = Readonly<{
  emulator: Emulator;
  stage: ReturnType<typeof openStage>;
  client: Client;
  firstKey: string;
  paid: Intent;
  newCardDraft: () => Promise<Intent>;
}>;

/** Tests of a stage with others beside it, deployed again, and taken back: the last before its end. */
export function describeVersions(left: () => Left): void {
  test("another deployment lives beside it under a prefix, with a table, keys and an address of its own", async () => {
    const { emulator, client, firstKey, paid } = left();
    const acme = openStage(emulator, "acme");
    const url = await acme.deploy("deploy beside");
    await acme.operate("tenants", "create", "1001", "--name", "Acme's first", "--country", "BR");
    const key = String((await acme.operate("keys", "create", "first-key", "--tenant", "1001"))["apiKey"]);
    const beside = openClient(url, key);
    const me = async (as: Client) => (await as.must<{ tenant: { name: string } }>("GET", "/v2/users/me")).tenant.name;
    expect([await me(beside), await me(client)]).toEqual(["Acme's first", "First"]);
    expectRefused(await client.call("GET", "/v2/users/me", { key }), 401, "[GEN9001]");
    expectRefused(await openClient(url, firstKey).call("GET", "/v2/users/me"), 401, "[GEN9001]");
    expectRefused(await beside.call("GET", `/v2/payment-intents/${paid.id}`), 404, "[GEN9003]");
    await acme.destroy();
    expect(await me(client)).toBe("First");
  }, 320_000);

  const pay = async () => {
    const { client, newCardDraft } = left();
    const submitted = await client.submit<Data<Intent>>((await newCardDraft()).id, newKey());
    expect(submitted.status).toBe(200);
    return submitted.body.data;
  };

  test("on a restored table it works with what that one holds, and so does its operator; there is a way back", async () => {
    const { emulator, stage, client, paid, newCardDraft } = left();
    const { mainTable } = stage.names;
    const restored = `${mainTable}-1`;
    const verify = () => stage.operate("ledger", "verify");
    const draft = await newCardDraft();
    const before = await verify();
    await copyTable(emulator, mainTable, restored);
    const { id: lost } = await newCardDraft();
    expect(await stage.operate("ledger", "verify", "--table", restored)).toEqual(before);
    await stage.operate("maintenance", "on", "--table", restored);
    await stage.deploy("restored", { table: restored });
    const get = async (id: string) => (await client.call("GET", `/v2/payment-intents/${id}`)).status;
    // Nobody is let in by the deployment itself: a draft may have been paid by what the table lacks.
    await expect.poll(() => get(paid.id)).toBe(503);
    expectRefused(await client.submit(draft.id, newKey()), 503);
    await stage.operate("maintenance", "off");
    await expect.poll(() => get(lost)).toBe(404);
    expect((await client.getIntent(draft.id)).status).toBe("draft");
    expect((await client.getIntent(paid.id)).status).toBe("completed");
    const { id: kept } = await pay();
    expect(await verify()).toMatchObject({ intents: Number(before["intents"]) + 1, problems: 0 });
    await stage.deploy("unrestored");
    await expect.poll(() => get(kept)).toBe(404);
    expect((await client.getIntent(lost)).status).toBe("draft");
  }, 320_000);

  /** The hash of the code of the function that submits. */
  const codeHash = async () => {
    const { emulator, stage } = left();
    const named = { FunctionName: stage.names.functionOf("payment-intents") };
    const { CodeSha256 } = await emulator.call<{ CodeSha256: string }>("lambda", "get_function_configuration", named);
    return CodeSha256;
  };
  let firstCode: string;

  test("deployed again with another code and address, it still pays and has lost nothing, and a diff is empty", async () => {
    const { emulator, stage, client, paid } = left();
    firstCode = await codeHash();
    const address = emulator.url.replace("localhost", "127.0.0.1");
    const url = await stage.deploy("redeploy", { address, isChanged: true });
    expect(await codeHash()).not.toBe(firstCode);
    expect((await client.getIntent(paid.id)).status).toBe("completed");
    const later = await pay();
    expect(later.executions[0]?.checkoutUrl).toMatch(`${url}/`);
    expect(url).toMatch(address);
    await stage.diff({ address, isChanged: true });
  }, 320_000);

  test("back on an earlier version, it goes on with what the later one wrote, or refuses another stored format in one line", async () => {
    const { emulator, stage, client, paid, newCardDraft } = left();
    const { from, format } = await findEarlier();
    if (from !== undefined && format !== STORED_FORMAT) return expectRefusal(from, join(emulator.folder, "kept"));
    const later = await pay();
    const draft = await newCardDraft();
    await stage.deploy("back", from === undefined ? {} : { from });
    if (from === undefined) expect(await codeHash()).toBe(firstCode);
    expect((await client.getIntent(paid.id)).status).toBe("completed");
    expect(await client.getIntent(later.id)).toMatchObject({ status: "executing", id: later.id });
    const listed = await client.must<{ paymentIntents: Intent[] }>("GET", "/v2/payment-intents?limit=100");
    expect(listed.paymentIntents.map(({ id }) => id)).toEqual(expect.arrayContaining([paid.id, later.id, draft.id]));
    expect((await client.submit<Data<Intent>>(draft.id, newKey())).status).toBe(200);
    const between = await pay();
    expect(between.status).toBe("executing");
    if (from !== undefined) await stage.deploy("forth again");
    expect(await client.getIntent(between.id)).toMatchObject({ status: "executing", id: between.id });
    expect((await pay()).status).toBe("executing");
    expect(await stage.operate("ledger", "verify")).toMatchObject({ problems: 0 });
  }, 600_000);
}

/** The version in the folder `from` starts on no data that this one keeps. */
async function expectRefusal(from: string, DATA_DIR: string): Promise<void> {
  await (await launchService({ DATA_DIR })).stop();
  const { exitCode, stderr } = await runToEnd({ DATA_DIR }, join(from, "packages/local/src/start.ts"));
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^DATA_DIR .+ stored format .+\n$/);
}
