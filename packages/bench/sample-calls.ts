import { randomBytes } from "node:crypto";
import type { GetCommandInput, TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import { sampleBody } from "@intents/acceptance/service/collections.ts";
import { paymentIntentRoutes } from "@intents/contract/payment-intents.ts";
import { parseSettings } from "@intents/deployment/settings.ts";
import { newLinkToken, newRecordId } from "@intents/domain/ids.ts";
import { planDraft } from "@intents/domain/intents/plan-draft.ts";
import { createIntent } from "@intents/execution/drafts/create.ts";
import { openRun } from "@intents/execution/open-run.ts";
import { localDefaults } from "@intents/local/local-settings.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import type { Table } from "@intents/storage/table/table.ts";

/** The requests that creating and retrieving one intent send to DynamoDB. */
export type SampleCalls = Readonly<{ id: string; create: TransactWriteCommandInput; retrieve: GetCommandInput }>;

const caller = { tenantId: "1001", userId: "demo-user", clientId: "demo", permissions: [] };

/** Runs the service's own code with a client that only records its requests. */
export async function recordCalls(): Promise<SampleCalls> {
  const sent: unknown[] = [];
  const send = async ({ input }: { input: unknown }) => {
    sent.push(input);
    return {};
  };
  const settings = parseSettings(localDefaults);
  const table = { name: settings.TABLE_NAME, db: { send } } as unknown as Table;
  const run = openRun(settings, {
    table,
    now: () => Date.now(),
    random: (count) => new Uint8Array(randomBytes(count)),
  });
  const draft = paymentIntentRoutes.createPaymentIntent.body().parse(JSON.parse(sampleBody));
  const ids = { id: newRecordId(run.now(), run.random), publicLinkId: newLinkToken(run.random) };
  await createIntent(run, planDraft(draft, caller, ids), caller);
  await findIntent(table, caller.tenantId, ids.id);
  const [create, retrieve, ...more] = sent as [TransactWriteCommandInput, GetCommandInput, ...unknown[]];
  if (more.length > 0) throw new Error("Create and retrieve make more than one call each");
  return { id: ids.id, create, retrieve };
}
