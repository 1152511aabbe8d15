import { randomBytes } from "node:crypto";
import { newLinkToken, newRecordId } from "@intents/domain/ids.ts";
import type { Milestone } from "@intents/domain/intents/milestone.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { planDraft } from "@intents/domain/intents/plan-draft.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import type { ExecuteAnswer, Rail } from "@intents/domain/rails/rail.ts";
import type { IntentDraft, Recipient } from "@intents/domain/scenarios/draft.ts";
import { document, payee, quote, STUDENT_ID, tuition } from "@intents/domain/test/intent-fixture.ts";
import { sandboxBank } from "@intents/rails/sandbox/bank.ts";
import { openSandboxRail, type SandboxRail } from "@intents/rails/sandbox/sandbox.ts";
import { eventsOf, listAudit } from "@intents/storage/audit/intents.ts";
import { type Files, openFiles } from "@intents/storage/files/files.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { addQuote } from "@intents/storage/intents/quotes.ts";
import { addDocument, findDocument } from "@intents/storage/parties/documents.ts";
import { addParty } from "@intents/storage/parties/parties.ts";
import { addPayee } from "@intents/storage/parties/payees.ts";
import { addTenant } from "@intents/storage/parties/tenants.ts";
import { coverSpread } from "@intents/storage/polling/spread.ts";
import { startTable } from "@intents/storage/test/table-fixture.ts";
import { createIntent } from "../src/drafts/create.ts";
import type { Operation } from "../src/operations/operation.ts";
import type { Run } from "../src/run.ts";
import { submitIntent } from "../src/submit/submit.ts";
import { actAs } from "./acting-fixture.ts";
import { ticking } from "./ticking-fixture.ts";

export const LEASE_MS = 60_000;
export const DRAFT_TTL_MS = 14 * 86_400_000;
export const SETTLE_MS = 2_000;
export const RECOVERY_AFTER_MS = 10_000;
export const DEDUP_MS = 300_000;

/** A paying-from country of each rail. */
export const countries = ["BR", "NO"] as const;
type Country = (typeof countries)[number] | "AU";
type Wanted = Readonly<{ reference?: string; payeeIds?: readonly number[]; from?: Country }>;

/** An operator's details for a command about an intent of the world's tenant. */
export const by = (intentId: string): Operation => ({
  tenantId: "1001",
  intentId,
  operator: "olga",
  reason: "ticket 7",
});

export type World = Awaited<ReturnType<typeof startWorld>>;

/**
 * For tests: a store, a sandbox rail and a clock that only the test moves, with one tenant. `files` holds payers'
 * uploads only.
 */
export async function startWorld(files: Files = openFiles("unused")) {
  const store = await startTable();
  const { railTableName, stop } = store;
  const clock = { ms: Date.UTC(2026, 10, 21, 9) };
  const now = () => clock.ms;
  const table = { ...store.table, now };
  const random = (count: number) => new Uint8Array(randomBytes(count));
  const options = {
    ...{ db: table.db, tableName: railTableName, baseUrl: "http://localhost", now, random },
    settleSeconds: SETTLE_MS / 1000,
    dedupSeconds: DEDUP_MS / 1000,
  };
  const rail: SandboxRail = openSandboxRail(options);
  const bank: SandboxRail = openSandboxRail(options, sandboxBank);
  /** The milestones that this world's payments have passed. */
  const noted: Milestone[] = [];
  const run: Run = {
    ...{ table, files, note: (milestone) => noted.push(milestone) },
    rails: [bank.port, rail.port],
    random,
    now,
    settings: {
      draftTtlMs: DRAFT_TTL_MS,
      pollIntervalMs: 1_000,
      leaseMs: LEASE_MS,
      recoveryAfterMs: RECOVERY_AFTER_MS,
      timerShards: 1,
      watchShards: 1,
      payerAppUrl: "https://pay.example",
      checkoutHoldMs: 600_000,
      transferHoldMs: 1_800_000,
      unpaidMax: 50,
    },
  };
  const caller: Caller = { tenantId: "1001", userId: "demo-user", clientId: "demo", permissions: ["AllowBulkPayment"] };
  const { tenantId } = caller;
  const createdAt = new Date(now()).toISOString();
  const tenant = {
    tenantId,
    name: "Demo",
    countryCode: "AU",
    currencyCode: "AUD",
    commissionSpread: "0.01",
    createdAt,
  };
  await Promise.all([
    // As in a container that has written before, so that the calls of a test are the same wherever it stands.
    coverSpread(table, { timers: run.settings.timerShards, watches: run.settings.watchShards }),
    addTenant(table, tenant),
    ...[5001, 5002].map((id) => addPayee(table, payee(id), false)),
    addPayee(table, payee(5003, { countryCode: "CA", currencyCode: "CAD" }), false),
    // No payment can be made to this payee's country.
    addPayee(table, payee(5099, { countryCode: "KP" }), false),
    addPayee(table, payee(7001, { tenantId: "1002" }), false),
    addParty(table, tenantId, "STUDENT", {
      _id: STUDENT_ID,
      firstName: "Ana",
      lastName: "Silva",
      email: "ana@example.com",
      createdAt,
      updatedAt: createdAt,
    }),
  ]);

  async function newDocument(): Promise<string> {
    const documentId = crypto.randomUUID();
    const expiresAtMs = now() + 30 * 86_400_000;
    await addDocument(table, tenantId, document(documentId, { source: "saved", expiresAtMs }));
    return documentId;
  }

  let made = 0;
  /** A draft that submit would take, with its own quote and document and a new amount. */
  async function newDraft(changes: Partial<IntentDraft> & Wanted = {}) {
    const { reference, payeeIds = [5001], from: countryCode = "BR", ...rest } = changes;
    const quoteId = crypto.randomUUID();
    const expiresOn = new Date(now() + 1_800_000).toISOString();
    await addQuote(table, tenantId, { ...quote(payeeIds), countryCode, quoteId, expiresOn });
    const payerIdentityDocumentId = await newDocument();
    const payerAmount = `${1000 + ++made}.00`;
    const draft: IntentDraft = {
      ...tuition,
      recipients: payeeIds.map((connectorPayeeId, order) => ({
        role: "education_provider",
        connectorPayeeId,
        amount: { payerAmount },
        ...(reference !== undefined && order === 0 && { reference }),
      })),
      instructions: {
        manualPayment: {
          ...tuition.instructions.manualPayment,
          countryCode,
          quoteId,
          payerIdentityDocumentId,
          quotePayoutOrderConfirmed: true,
        },
      },
      ...rest,
    };
    return create(draft);
  }

  function create(draft: IntentDraft) {
    const ids = { id: newRecordId(now(), random), publicLinkId: newLinkToken(random) };
    return actAs("payment-intents", () => createIntent(run, planDraft(draft, caller, ids), caller));
  }

  /**
   * A payroll of `count` people in two currencies; `references` are those of the first people, `others` are added to
   * them.
   */
  const newBatch = (
    count: number,
    references: readonly (string | undefined)[] = [],
    others: readonly Recipient[] = [],
    from: Country = "AU",
  ) =>
    create({
      useCase: "payroll_payment",
      deliveryMode: "bulk",
      amountMode: "mixed_composite",
      payer: { role: "tenant" },
      recipients: [
        ...Array.from({ length: count }, (_, index) => ({
          role: "public_payee" as const,
          connectorPayeeId: index % 3 === 0 ? 5003 : 5001,
          amount: { payeeAmount: `${100 + ++made}.00`, currency: index % 3 === 0 ? "CAD" : "AUD" },
          reference: references[index] ?? `pay ${index}`,
        })),
        ...others,
      ],
      instructions: { manualPayment: { countryCode: from, purpose: "other" } },
      termsAccepted: true,
    });

  /** A link for one school at a set price. */
  const newLink = (changes: Partial<IntentDraft> = {}) =>
    create({
      useCase: "education_provider_tuition",
      deliveryMode: "reusable_payment_link",
      amountMode: "fixed_payee_amounts",
      payer: { role: "unknown_link_payer" },
      recipients: [
        { role: "education_provider", connectorPayeeId: 5001, amount: { payeeAmount: "100.00", currency: "AUD" } },
      ],
      termsAccepted: true,
      ...changes,
    });

  const submit = (intentId: string, keyHash?: string, as: Run = run) =>
    actAs("payment-intents", () => submitIntent(as, { caller, intentId, ...(keyHash !== undefined && { keyHash }) }));

  async function get(intentId: string): Promise<PaymentIntent> {
    const found = await findIntent(table, tenantId, intentId);
    if (!found.ok) throw new Error(`${intentId} does not exist`);
    return found.value;
  }

  const { timerOf, tick } = ticking({ run, clock, tenantId, get });

  const documentOf = async ({ instructions }: PaymentIntent) =>
    findDocument(table, tenantId, instructions?.manualPayment?.payerIdentityDocumentId ?? "");

  /** The intent's audit entries, and all the events in them, oldest first. */
  const auditOf = (id: string) => listAudit(table, { tenantId, id });
  const eventsIn = async (id: string) => eventsOf(await auditOf(id));

  const paymentsOf = async (intentId: string) =>
    (await Promise.all([bank, rail].map((each) => each.listPayments(tenantId, { limit: 1000 }))))
      .flat()
      .filter(({ paymentIntentId }) => paymentIntentId === intentId);

  const withRail = (changes: Partial<Rail>): Run => ({
    ...run,
    // A rail that answers otherwise is asked one by one, unless the test says how it answers many.
    rails: run.rails.map((each) => ({ ...each, ...(changes.status && { statuses: undefined }), ...changes })),
  });

  /** The world's rails, which give `answers` one after the other; `null` stands for the sandbox's own. */
  function answering(...answers: (ExecuteAnswer | null)[]): Run {
    const { execute } = rail.port;
    return withRail({ execute: async (order, executionId) => answers.shift() ?? execute(order, executionId) });
  }

  /** The world's rails, whose answer about one recipient of a batch is lost after it was paid. */
  function losing(recipient: number): Run {
    const { execute } = rail.port;
    return withRail({
      execute: async (order, executionId) => {
        const answer = await execute(order, executionId);
        return order.legs[0]?.order === recipient ? { kind: "unknown", reason: "lost" } : answer;
      },
    });
  }

  /** The world's rails, which carry out requests at once but answer none before the test lets the answers go. */
  function holdingRail() {
    const gate = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const { execute } = rail.port;
    const held = withRail({
      execute: async (order, executionId) => {
        const answer = await execute(order, executionId);
        asked.resolve();
        await gate.promise;
        return answer;
      },
    });
    return { run: held, asked: asked.promise, letGo: () => gate.resolve() };
  }

  return {
    ...{
      noted,
      table,
      railTableName,
      clock,
      rail,
      run,
      caller,
      stop,
      newDraft,
      newBatch,
      newLink,
      newDocument,
      submit,
      get,
      tick,
      documentOf,
      auditOf,
      eventsOf: eventsIn,
      paymentsOf,
    },
    timerOf,
    /** The same world with another rail. */
    ...{ withRail, telling: answering, losing, holdingRail },
  };
}
