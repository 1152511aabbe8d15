import { DeleteCommand, type TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Caller } from "@intents/domain/parties/caller.ts";
import type { PaymentOrder, Rail } from "@intents/domain/rails/rail.ts";
import { payee } from "@intents/domain/test/intent-fixture.ts";
import type { Run } from "@intents/execution/run.ts";
import { sandboxBank } from "@intents/rails/sandbox/bank.ts";
import { openSandboxRail, type SandboxRail } from "@intents/rails/sandbox/sandbox.ts";
import { sandbox } from "@intents/rails/sandbox/terms.ts";
import { askForAll } from "@intents/rails/statuses.ts";
import type { Files } from "@intents/storage/files/files.ts";
import { S3Client } from "@intents/storage/files/s3-sdk.ts";
import { addPayee } from "@intents/storage/parties/payees.ts";
import { addTenant } from "@intents/storage/parties/tenants.ts";
import { startTable, untimed } from "@intents/storage/test/table-fixture.ts";
import { executeFaults, fundFaults, statusesFaults, statusFaults, storeFaults } from "./faults.ts";
import { scanItems } from "./items.ts";
import { openLies } from "./lies.ts";
import type { Random } from "./random.ts";
import type { Scheduler } from "./scheduler.ts";
import { openStumbles } from "./stumbles.ts";

export const START_MS = Date.UTC(2026, 10, 21, 9);
export const LEASE_MS = 60_000;
export const DRAFT_TTL_MS = 14 * 86_400_000;

const callerOf = (tenantId: string) =>
  ({
    ...{ tenantId, userId: `user of ${tenantId}`, clientId: `client of ${tenantId}` },
    permissions: ["AllowBulkPayment", "AllowSplitPayment", "AllowLegacyReissue"],
  }) as const satisfies Caller;

/** The tenants of the simulated service, which share payees, rails and workers. */
export const tenantIds = ["1001", "1002"] as const;

/** One of whatever a tenant has, for each of them. */
export function forTenants<Each>(open: (caller: Caller) => Each): (tenantId: string) => Each {
  const all = new Map<string, Each>(tenantIds.map((tenantId) => [tenantId, open(callerOf(tenantId))]));
  return (tenantId) => {
    const found = all.get(tenantId);
    if (found === undefined) throw new Error(`There is no tenant ${tenantId}`);
    return found;
  };
}

export type Clock = { ms: number };
/**
 * An observer of what happens: the transactions that were written, and the payments that a rail took, with their times.
 */
export type Witness = Readonly<{
  seeTransaction(input: TransactWriteCommandInput): void;
  seeAccepted(order: PaymentOrder, executionId: string, acceptedAt: string): void;
}>;
export type SimulatedWorld = Awaited<ReturnType<typeof openWorld>>;

/** The real store and both sandbox rails. Every call to them waits for the scheduler, and may be made to fail. */
export async function openWorld(random: Random, scheduler: Scheduler, clock: Clock, witness: Witness) {
  const store = await startTable({ isHostile: false });
  const { railTableName, stop } = store;
  const now = () => clock.ms + (scheduler.current()?.aheadMs ?? 0);
  const table = { ...untimed(store.table), now };
  table.client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        const { input } = args;
        const isTransaction = commandName === "TransactWriteItemsCommand";
        // The token stays the same over the SDK's retries, as the SDK's own token does.
        if (isTransaction) Object.assign(input, { ClientRequestToken: crypto.randomUUID() });
        let isAnswered = !isTransaction;
        return scheduler.pass(commandName ?? "a store call", storeFaults(commandName), async () => {
          const output = await next(args);
          // A retry with the same token succeeds again and writes nothing.
          if (!isAnswered) witness.seeTransaction(input as TransactWriteCommandInput);
          isAnswered = true;
          return output;
        });
      },
    { step: "initialize", priority: "high", name: "simulation" },
  );
  const options = { db: table.db, tableName: railTableName, baseUrl: "http://localhost", random: random.bytes };
  const sandboxes = [sandboxBank, sandbox].map((terms) =>
    openSandboxRail({ ...options, now: () => clock.ms, settleSeconds: 2, dedupSeconds: 6 * 3600 }, terms),
  );
  const healed = { rail: false, stumbling: false, sinceMs: 0 };
  const stumbles = openStumbles(healed);
  const lies = openLies(healed);
  const settings = {
    draftTtlMs: DRAFT_TTL_MS,
    pollIntervalMs: 30_000,
    leaseMs: LEASE_MS,
    recoveryAfterMs: 1_800_000,
    timerShards: 1,
    watchShards: 1,
    payerAppUrl: "https://pay.example",
    checkoutHoldMs: 600_000,
    transferHoldMs: 1_800_000,
    unpaidMax: 50,
  };
  const run: Run = {
    table,
    files: noFiles,
    random: random.bytes,
    now,
    rails: sandboxes.map((rail) => lies.over(stumbles.over(throughScheduler(rail, scheduler, witness, healed)))),
    settings,
  };
  const at = new Date(START_MS).toISOString();
  const company = { countryCode: "BR", currencyCode: "BRL", commissionSpread: "0.01" };
  for (const tenantId of tenantIds) await addTenant(table, { tenantId, name: "Demo", ...company, createdAt: at });
  for (const id of [5001, 5002, 5003]) await addPayee(table, payee(id), false);

  /** Deletes expired records, as real stores do at some time: those of the rails and our own. */
  const forgotten = { untilMs: 0 };
  async function forget(): Promise<void> {
    forgotten.untilMs = clock.ms;
    for (const name of [table.name, railTableName]) {
      for (const { PK, SK, ttl } of await scanItems(table, name)) {
        if (typeof ttl !== "number" || ttl * 1000 > clock.ms) continue;
        await table.db.send(new DeleteCommand({ TableName: name, Key: { PK, SK } }));
      }
    }
  }
  return { table, railTableName, sandboxes, run, settings, clock, healed, stumbles, lies, forget, forgotten, stop };
}

/** A bucket without files, of which each can be deleted. */
const noFiles: Files = {
  bucket: "none",
  client: async () => Object.assign(new S3Client({ region: "us-east-1" }), { send: async () => ({}) }),
};

function throughScheduler(
  { port: rail, listPayments }: SandboxRail,
  scheduler: Scheduler,
  witness: Witness,
  healed: Readonly<{ rail: boolean }>,
): Rail {
  const { execute, status, cancel, fund } = rail;
  return {
    ...rail,
    execute: (order, executionId) =>
      scheduler.pass(`execute ${executionId}`, executeFaults, async () => {
        const answer = await execute(healed.rail ? available(order) : order, executionId);
        // A question for one leg also lists legs whose number begins with the same digits.
        const payments = await listPayments(order.tenantId, { executionId, limit: 1000 });
        const taken = payments.find((payment) => payment.executionId === executionId);
        if (taken !== undefined) witness.seeAccepted(order, executionId, taken.acceptedAt);
        return answer;
      }),
    statuses: (asked) =>
      scheduler.pass(`status of ${asked.length}`, statusesFaults(asked), () => askForAll(rail, asked)),
    status: (tenantId, executionId) =>
      scheduler.pass(`status ${executionId}`, statusFaults, () => status(tenantId, executionId)),
    cancel: (tenantId, executionId) =>
      scheduler.pass(`cancel ${executionId}`, statusFaults, () => cancel(tenantId, executionId)),
    fund: (order) => scheduler.pass(`fund ${order.fundingReference}`, fundFaults, () => fund(order)),
  };
}

/** The order to a rail that is available again: no recipient asks it to play unavailable. */
const available = (order: PaymentOrder): PaymentOrder => ({
  ...order,
  legs: order.legs.map((leg) => {
    const { reference, ...rest } = leg;
    return reference === "SANDBOX-UNAVAILABLE" ? rest : leg;
  }),
});
