import { expect } from "vitest";
import type { Client, Data, Intent, Variant } from "../service/client.ts";
import { create, newKey, tuition } from "../service/tuition.ts";
import type { Emulator } from "./emulator.ts";
import type { openStage } from "./stage.ts";

const isCard = ({ settlementMethod }: Variant) => settlementMethod === "card";

/** A card payment whose payer has not paid yet. */
export async function beginPayment(client: Client, payeeId: number, idempotencyKey = newKey()): Promise<Intent> {
  const { id } = await create(client, (await tuition(client, { payeeIds: [payeeId], pick: isCard })).body);
  const { status, body } = await client.submit<Data<Intent>>(id, idempotencyKey);
  expect([status, body.data.status]).toEqual([200, "executing"]);
  return body.data;
}

/** The payer pays on the sandbox's page, without a key, and the service finds out. */
export async function endPayment(
  { call }: Emulator,
  { names }: ReturnType<typeof openStage>,
  client: Client,
  { id, executions }: Intent,
): Promise<void> {
  const paid = new URLSearchParams({ outcome: "pay" });
  expect((await fetch(executions[0]?.checkoutUrl ?? "", { method: "POST", body: paid })).status).toBe(200);
  // The schedule's own tick may be a minute away.
  const FunctionName = names.functionOf("dispatch-due");
  expect(await call("lambda", "invoke", { FunctionName, Payload: "{}" })).toMatchObject({ StatusCode: 200 });
  await expect.poll(async () => (await client.getIntent(id)).status).toBe("completed");
}
