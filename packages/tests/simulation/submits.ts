import { createHash } from "node:crypto";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { newUuid } from "@intents/domain/ids.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import { ok } from "@intents/domain/result.ts";
import { submitIntent } from "@intents/execution/submit/submit.ts";
import { openIdempotency } from "@intents/http/idempotency/idempotency.ts";
import { eventFor } from "@intents/http/test/event-fixture.ts";
import { KEY_LIFETIME_MS } from "@intents/storage/intents/submissions.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import type { Context } from "aws-lambda";
import { type Ledger, must } from "./ledger.ts";
import type { People } from "./people.ts";
import { openPreviews } from "./previews.ts";
import type { Random } from "./random.ts";
import type { Scheduler } from "./scheduler.ts";
import type { SimulatedWorld } from "./world.ts";

/** The longest time that a function may take, in milliseconds. */
const TIMEOUT_MS = 28_000;

/** Clocks of workers differ by less than this. */
const CLOCKS_MS = 10_000;

type Means = Readonly<{
  world: SimulatedWorld;
  random: Random;
  scheduler: Scheduler;
  ledger: Ledger;
  /** The keys that were used, and for which intent: tenants may use the same ones. */
  keysUsed: { key: string; intentId: string }[];
  trace: (line: string) => void;
}>;

/** A tenant's submits, with and without Idempotency-Keys, some bound by a preview, and checks of their answers. */
export function openSubmits(means: Means, caller: Caller, people: People) {
  const { world, random, scheduler, ledger, keysUsed, trace } = means;
  const { table, run } = world;
  const answerByKey = openIdempotency(table);
  const previews = openPreviews(world, random, caller);
  /** The one body that each intent's submit was ever answered with. */
  const bodies = new Map<string, string>();
  /** The intent that each key has paid, and the time when the key was first seen. */
  const won = new Map<string, { intentId: string; firstSeenMs: number }>();

  function chooseKey(intentId: string): string | undefined {
    const how = random.weighted({ none: 15, fresh: 40, same: 35, foreign: 10 });
    if (how === "none") return undefined;
    const used = keysUsed.filter((use) => (use.intentId === intentId) === (how === "same"));
    const key = how === "fresh" || used.length === 0 ? newUuid(random.bytes) : random.pick(used.slice(-20)).key;
    keysUsed.push({ key, intentId });
    return key;
  }

  /** Sends one request, which a preview may bind, and judges its answer. */
  async function submit(intentId: string, key: string | undefined, previewHash?: string): Promise<void> {
    const worker = scheduler.current();
    const startedMs = run.now();
    const before = key === undefined ? undefined : won.get(key);
    const path = `/v2/payment-intents/${intentId}/submit`;
    const headers = key === undefined ? {} : { "Idempotency-Key": key };
    const event = eventFor("POST /v2/payment-intents/{id}/submit", { path, headers });
    const context = { getRemainingTimeInMillis: () => TIMEOUT_MS - (run.now() - startedMs) } as Context;
    const request = { event, context, tenantId: caller.tenantId, body: undefined, nowMs: startedMs };
    const answer = await answerByKey(request, async (keyHash) => {
      const submitted = await submitIntent(run, {
        ...{ caller, intentId, ...(keyHash !== undefined && { keyHash }) },
        ...(previewHash !== undefined && { previewHash }),
      });
      return submitted.ok ? ok({ ...submitted.value, intentId }) : submitted;
    });
    const { statusCode, body } = answer;
    trace(`${worker?.name ?? "a submit"} is answered ${statusCode} ${/\[\w+\]/.exec(body)?.[0] ?? ""}`);
    const intent = ledger.intents.get(intentId);
    const isAlone = keysUsed.filter((use) => use.key === key).length <= 1;
    if (statusCode === 200 && previewHash !== undefined && isAlone && intent) previews.check(intent, previewHash);
    // A repeated answer lacks the data of a person erased since.
    if (statusCode === 200 && !people.isForgotten(ledger.versionsOf(intentId))) {
      const first = bodies.get(intentId) ?? body;
      must(first === body, `${intentId} was answered with two bodies`);
      bodies.set(intentId, body);
    }
    if (key === undefined) return;
    // The clock may have leapt over the key's end while the submit was at work.
    const isKept = before !== undefined && run.now() < before.firstSeenMs + KEY_LIFETIME_MS - CLOCKS_MS;
    if (isKept && before.intentId === intentId && worker?.faulted === false) {
      must(statusCode === 200, `key ${key} paid ${intentId} and is now answered ${statusCode}: ${body}`);
    }
    if (isKept && before.intentId !== intentId)
      must(statusCode !== 200, `key ${key} paid ${before.intentId} and ${intentId}`);
    if (statusCode === 200) await scheduler.outside(() => remember(key, intentId, path));
  }

  /** Notes the intent that a key has paid, as long as the key is bound to just that request. */
  async function remember(key: string, intentId: string, path: string): Promise<void> {
    const payloadHash = createHash("sha256").update(JSON.stringify({ body: null, method: "POST", path }));
    const Key = keysOf(caller.tenantId).keyBinding(hashOf(key));
    const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
    if (Item?.["payloadHash"] !== payloadHash.digest("base64")) return;
    won.set(key, { intentId, firstSeenMs: Number(Item["firstSeenMs"]) });
  }

  return { chooseKey, submit, previews };
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
