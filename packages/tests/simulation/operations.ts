import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { isTerminal } from "@intents/domain/intents/statuses.ts";
import { railKeyOf } from "@intents/domain/rails/description.ts";
import { advanceIntent } from "@intents/execution/advance.ts";
import { advanceRequest } from "@intents/execution/commissions/requests.ts";
import { compileIntent } from "@intents/execution/drafts/compile.ts";
import { createIntent } from "@intents/execution/drafts/create.ts";
import { askAlone } from "@intents/execution/polling/ask-alone.ts";
import { dispatchShard } from "@intents/execution/polling/dispatch.ts";
import { ask } from "@intents/execution/polling/question.ts";
import { sweep } from "@intents/execution/polling/sweep.ts";
import { tick } from "@intents/execution/polling/tick.ts";
import { submitIntent } from "@intents/execution/submit/submit.ts";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import { widenSpread } from "@intents/storage/polling/spread.ts";
import { type Posted, parseMessage, type Queue, sendMessages } from "@intents/storage/queue/queue.ts";
import { refuseFailed } from "@intents/storage/table/in-turns.ts";
import { type Context, finishAll, finishWholly, type Mail, move } from "./context.ts";
import { openDrafts } from "./drafts.ts";
import { must } from "./ledger.ts";
import { openOperators } from "./operators.ts";
import { openPayers } from "./payers.ts";
import { openRequests } from "./requests.ts";
import { openSubmits } from "./submits.ts";
import { DRAFT_TTL_MS, forTenants, LEASE_MS, tenantIds } from "./world.ts";

const WORKERS_MAX = 10;
/** The operations of a simulated life, with their relative frequencies. */
const operations = {
  ...{ create: 20, submit: 34, compile: 4, dispatch: 12, deliver: 24, clock: 14, checkout: 4, session: 8, release: 2 },
  ...{ operator: 12, redrive: 1, request: 3, decide: 3, reissue: 2, stumble: 2, settings: 1, fate: 4, close: 2 },
  ...{ lie: 2, preview: 4, erase: 1, trespass: 1 },
  webhook: 8,
  receiver: 2,
};
type OperationName = keyof typeof operations;
/** Sweeps whose worker's clock is wrong, and how far it may be ahead. */
const WRONG_CLOCK_RATE = 0.03;
const WRONG_CLOCK_MS_MAX = 5 * 3_600_000;
/** Stages spread their timers and watches over up to so many shards. */
const SHARDS_MAX = 3;
const jumps = { second: 60, lease: 16, hour: 3, day: 1, expiry: 1, month: 1 };
const jumpMs: Record<keyof typeof jumps, number> = {
  second: 4_000,
  lease: LEASE_MS + 1_000,
  hour: 3_600_000,
  day: 86_400_000,
  expiry: DRAFT_TTL_MS,
  month: 31 * 86_400_000,
};

/** Draws the next operation, and lets it begin; tells its kind. */
export function openOperations(context: Context): () => Promise<string | undefined> {
  const { random, scheduler, world, ledger, people, trace, start, mailbox, deadLetters, fates } = context;
  const { run, clock, sandboxes } = world;
  const means = { world, random, scheduler, ledger, keysUsed: [], trace };
  const of = forTenants((caller) => ({
    caller,
    drafts: openDrafts(world, random, caller, people),
    payers: openPayers(world, random, ledger, caller, people),
    requests: openRequests(world, random, ledger, caller),
    submits: openSubmits(means, caller, people),
  }));
  const ofIntent = (id: string) => of(ledger.intents.get(id)?.tenantId ?? "");
  const ofAny = () => of(random.pick(tenantIds));
  const operators = openOperators(world, scheduler, ledger);
  /** The id of an intent: mostly of one of the newest that is not at its end, where things still happen. */
  const chooseIntent = (fits: (intent: PaymentIntent) => boolean = () => true): string | undefined => {
    const intents = [...ledger.intents.values()].filter(fits);
    const open = intents.filter(({ status }) => !isTerminal(status)).slice(-5);
    const chosen = open.length > 0 && random.chance(0.85) ? open : intents;
    return chosen.length === 0 ? undefined : random.pick(chosen).id;
  };

  const operate: Record<OperationName, () => Promise<unknown>> = {
    create: async () => {
      const { caller, drafts } = ofAny();
      const { kind, intent } = await drafts.make();
      await start(`create ${kind} ${intent.id}`, () => createIntent(run, intent, caller));
      return kind;
    },
    submit: async () => {
      const id = chooseIntent();
      if (id === undefined) return undefined;
      const { submits } = ofIntent(id);
      const previewHash = random.chance(0.3) ? submits.previews.choose(id) : undefined;
      let key = submits.chooseKey(id);
      for (let others = random.chance(0.3) ? 1 + random.below(2) : 0; others >= 0; others--) {
        if (random.chance(0.5)) key = submits.chooseKey(id);
        await start(`submit ${id} key ${key?.slice(0, 8)}`, () => submits.submit(id, key, previewHash));
      }
      return previewHash === undefined ? undefined : "bound by a preview";
    },
    preview: async () => {
      const id = chooseIntent(({ status }) => status === "draft");
      if (id !== undefined) await start(`preview ${id}`, () => ofIntent(id).submits.previews.look(id));
    },
    compile: async () => {
      const id = chooseIntent();
      if (id !== undefined) await start(`compile ${id}`, () => compileIntent(run, ofIntent(id).caller, id));
    },
    trespass: async () => {
      const id = chooseIntent();
      const owner = id === undefined ? undefined : ofIntent(id).caller.tenantId;
      if (id === undefined || owner === undefined) return;
      const { caller } = of(random.pick(tenantIds.filter((tenantId) => tenantId !== owner)));
      await start(`trespass of ${caller.tenantId} on ${id}`, async () => {
        const results = [await submitIntent(run, { caller, intentId: id }), await compileIntent(run, caller, id)];
        const isHidden = results.every((each) => !each.ok && each.failure.kind === "not_found");
        must(isHidden, `the tenant ${caller.tenantId} learns of ${id}`);
      });
    },
    erase: async () => {
      const person = people.forgetOne(random.pick(tenantIds));
      if (person !== undefined) await start(`erasure of ${person.lastName}`, () => people.erase(person));
    },
    dispatch: async () => startDispatch(context, random.chance(0.5) ? 70_000 : 0),
    deliver: async () => {
      const due = mailbox.filter(({ atMs }) => atMs <= clock.ms);
      const posted = due.length > 0 ? random.pick(due) : undefined;
      if (posted !== undefined) await deliver(context, posted, !random.chance(0.15), !random.chance(0.05));
    },
    checkout: async () => {
      const id = chooseIntent();
      const token =
        id === undefined ? undefined : ledger.intents.get(id)?.executions.at(-1)?.checkoutUrl?.split("/").at(-1);
      const outcome = random.chance(0.7) ? "pay" : "decline";
      if (token !== undefined) for (const { finishCheckout } of sandboxes) await finishCheckout(token, outcome);
    },
    session: async () => {
      const links = [...ledger.intents.values()].filter(({ status }) => status === "pending_link_payment").slice(-4);
      if (links.length === 0) return;
      const link = random.pick(links);
      const { payers } = of(link.tenantId);
      const quoteId = await payers.chooseQuote(link.id);
      await start(`session of ${link.id}`, () => payers.open(link, quoteId));
    },
    release: async () => {
      const links = [...ledger.intents.values()].filter(({ status }) => status === "pending_link_payment").slice(-4);
      const link = links.length > 0 ? random.pick(links) : undefined;
      if (link !== undefined) await start("release of a link", () => of(link.tenantId).payers.release(link));
    },
    operator: async () => {
      const deed = operators.choose(random);
      const id = chooseIntent(operators.aims[deed]);
      if (id !== undefined) await start(`operator to ${deed} ${id}`, () => operators.act(deed, id));
      return deed;
    },
    redrive: async () => {
      mailbox.push(...deadLetters.splice(0).map(({ message }) => ({ message, atMs: clock.ms })));
    },
    request: async () => start("request for commissions", ofAny().requests.request),
    decide: async () => start("decision on a request", ofAny().requests.decide),
    reissue: async () => {
      const over = [...ledger.intents.values()].filter(
        ({ status, useCase }) => isTerminal(status) && useCase === "education_provider_tuition",
      );
      if (over.length === 0) return;
      const reissued = random.pick(over.slice(-4));
      const { caller, drafts } = of(reissued.tenantId);
      const intent = await drafts.reissue(reissued);
      await start(`create reissue ${intent.id}`, () => createIntent(run, intent, caller));
    },
    stumble: async () => {
      const open = [...ledger.intents.values()].filter(({ status }) => status === "executing").slice(-5);
      if (open.length === 0) return;
      const batches = open.filter(({ bulkProgress }) => bulkProgress !== undefined);
      const intent = random.pick(batches.length > 0 && random.chance(0.6) ? batches : open);
      const legs = await scheduler.outside(() => listLegs(world.table, intent));
      const unpaid = legs.filter(({ status }) => status === "pending");
      const { executionId } =
        legs.length === 0 ? (intent.executions.at(-1) ?? {}) : random.pick(unpaid.length > 0 ? unpaid : legs);
      trace(`the rails stumble over ${executionId}`);
      if (executionId !== undefined) world.stumbles.choose(executionId);
      return legs.length === 0 ? "payment" : "recipient";
    },
    fate: async () => {
      const changed = await fates.change();
      if (changed === undefined) return "none";
      await start(`word about ${changed.about.executionId}`, () => fates.tell(changed.about));
      return changed.how;
    },
    webhook: async () => start("webhooks", random.pick(context.receivers).serve),
    receiver: async () => random.pick(context.receivers).changeMood(),
    lie: async () => (await fates.lie()) ?? "none",
    close: async () => start("close of a record", fates.close),
    settings: async () => {
      const { settings } = world;
      const spread = { timers: 1 + random.below(SHARDS_MAX), watches: 1 + random.below(SHARDS_MAX) };
      // A tick of the new settings comes before those of the next ones.
      await scheduler.outside(() => widenSpread(world.table, spread));
      Object.assign(settings, { timerShards: spread.timers, watchShards: spread.watches });
      trace(`timers are spread over ${spread.timers} shards, watches over ${spread.watches}`);
    },
    clock: async () => {
      const jump = random.weighted(jumps);
      const byMs = jumpMs[jump];
      // A worker that is still at work when the clock jumps comes back as a zombie (H65). None lives a month.
      if (jump === "month") await finishWholly(context);
      else if (random.chance(0.6)) await finishAll(context);
      trace(`the clock jumps by ${byMs} ms, with ${scheduler.running.size} at work`);
      // Followers read events more often than the feed forgets them.
      for (const part of byMs < jumpMs.day ? [byMs] : [byMs / 2, byMs / 2]) {
        if (byMs >= jumpMs.day) await context.follow();
        move(clock, part);
      }
      if (jump === "month") await world.forget();
      return jump;
    },
  };
  return async () => {
    if (scheduler.running.size >= WORKERS_MAX) return undefined;
    const name = random.weighted(operations);
    const detail = await operate[name]();
    return typeof detail === "string" ? `${name}: ${detail}` : name;
  };
}

/** Delivers a message if it `arrives`, and takes it off the queue if it `takes`. One taken in vain is a dead letter. */
export async function deliver(context: Context, posted: Mail, takes: boolean, arrives: boolean): Promise<void> {
  const { mailbox, deadLetters, start, world, random } = context;
  if (takes) mailbox.splice(mailbox.indexOf(posted), 1);
  const { message } = posted;
  if (!arrives && takes) deadLetters.push(posted);
  if (!arrives) return;
  const { run } = world;
  const post = (messages: readonly Posted[]) => sendMessages(mailQueue(context), messages);
  switch (message.kind) {
    case "timer": {
      const advance = message.owner === "COMMISSION_REQUEST" ? advanceRequest : advanceIntent;
      return start(`advance ${message.id}`, () => advance(run, message, run.now() + 20_000));
    }
    case "sweep": {
      const wrongMs = random.chance(WRONG_CLOCK_RATE) ? random.below(WRONG_CLOCK_MS_MAX) : 0;
      // The queue tells by its own clock when it handed the sweep over.
      const receivedMs = world.clock.ms;
      return start(`sweep ${message.age} ${message.rail}`, () => sweep(run, message, post, receivedMs), wrongMs);
    }
    case "question":
      return start(`ask about ${message.about.map(({ id }) => id)}`, () => ask(run, message, post));
    case "alone":
      return start(`ask alone ${message.rail}`, () => askAlone(run, message, post));
    case "shard": {
      const { table, now } = run;
      const aheadMs = random.chance(0.5) ? 70_000 : 0;
      const queue = mailQueue(context);
      return start(`dispatch ${message.shard}`, () =>
        dispatchShard({ table, queue, now }, message.shard, aheadMs, now() + 20_000),
      );
    }
  }
}

/** The queue whose messages lie in the context's mailbox until somebody delivers them. */
function mailQueue({ mailbox, world: { run } }: Context): Queue {
  const send = async ({ input }: { input: { Entries: { MessageBody: string; DelaySeconds?: number }[] } }) => {
    for (const { MessageBody, DelaySeconds = 0 } of input.Entries) {
      mailbox.push({ message: parseMessage(MessageBody), atMs: run.now() + DelaySeconds * 1000 });
    }
    return {};
  };
  return { client: { send }, url: "simulated" } as unknown as Queue;
}

/** A tick of the schedule: due timers are sent, and the watches of all rails are swept. */
export async function startDispatch(context: Context, aheadMs: number): Promise<void> {
  const { start, world } = context;
  const { table, now, settings, rails } = world.run;
  const queue = mailQueue(context);
  const queues = { queue, lanes: [queue], keys: rails.map(({ rail }) => railKeyOf(rail)) };
  await start("tick", async () =>
    refuseFailed((await tick(table, queues, { ...settings, aheadMs }, now())).failed, "all else was sent"),
  );
}
