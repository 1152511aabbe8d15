import { toKeptBody } from "@intents/domain/answers/kept-body.ts";
import type { Failure } from "@intents/domain/failure.ts";
import { newRecordId } from "@intents/domain/ids.ts";
import { callerActor } from "@intents/domain/intents/audit-event.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { moveThrough } from "@intents/domain/intents/states.ts";
import { termsOf } from "@intents/domain/links/payment-link.ts";
import type { Metadata } from "@intents/domain/metadata.ts";
import type { Payee } from "@intents/domain/parties/payee.ts";
import { ok, type Result } from "@intents/domain/result.ts";
import { documentsOf } from "@intents/domain/scenarios/draft.ts";
import { answerAction, keepAnswer } from "@intents/storage/intents/submissions.ts";
import { addLink } from "@intents/storage/links/links.ts";
import { spendDocument } from "@intents/storage/parties/documents.ts";
import { change } from "../change.ts";
import { railFor } from "../rails/ask.ts";
import { payerPageUrl, type Run, type Submitted } from "../run.ts";
import { withKey } from "./key.ts";
import type { SubmitTerms } from "./plan.ts";

/**
 * Publishes a link, which stays `pending_link_payment` for its whole life (SPEC, States). No rail is asked, so that one
 * transaction is enough; undefined if the intent was changed meanwhile. `payees` must hold all its payees.
 */
export async function publishLink(
  run: Run,
  intent: PaymentIntent,
  { payees, metadata }: Readonly<{ payees: ReadonlyMap<number, Payee>; metadata: Metadata | undefined }>,
  { caller, keyHash }: Pick<SubmitTerms, "caller" | "keyHash">,
): Promise<Result<Submitted, Failure> | undefined> {
  const { publicLinkId } = intent;
  if (publicLinkId === undefined) throw new Error(`The link ${intent.id} has no token`);
  const nowMs = run.now();
  const at = new Date(nowMs).toISOString();
  const { provider } = railFor(run).describe(intent);
  const executionId = newRecordId(nowMs, run.random);
  const paymentLinkUrl = payerPageUrl(run, publicLinkId);
  const after: PaymentIntent = {
    ...moveThrough(intent, ["publishLink"], caller.userId, nowMs),
    executions: [
      {
        executionId,
        connector: provider,
        status: "executing",
        startedAt: at,
        connectorPaymentIds: [],
        paymentLinkUrl,
        payer: {},
        currency: intent.recipients[0]?.amount?.currency ?? "",
        fee: "0",
        legs: [],
      },
    ],
    lastPaymentLinkUrl: paymentLinkUrl,
    lastExecutionConnector: provider,
  };
  const terms = termsOf(after, payees);
  const body = toKeptBody(after, metadata);
  const answer = { executionId, claimedAtMs: nowMs, body, ...(keyHash !== undefined && { keyHash }) };
  const event = { name: "link_published", actor: callerActor(caller), data: { executionId } } as const;
  const keeping = keyHash === undefined ? [] : [keepAnswer(run.table, intent, keyHash, nowMs)];
  const { changed, hasKey } = await withKey(keeping, (keyActions) =>
    change(run, { before: intent, after, events: [event] }, [
      answerAction(run.table, intent.tenantId, intent.id, answer),
      ...documentsOf(intent).map((ref) => spendDocument(run.table, intent.tenantId, ref, intent.id, nowMs)),
      addLink(
        run.table,
        publicLinkId,
        { tenantId: intent.tenantId, intentId: intent.id, terms },
        Date.parse(after.updatedAt),
      ),
      ...keyActions,
    ]),
  );
  return changed.done ? ok({ body, replayed: false, isKept: hasKey }) : undefined;
}
