import type { Rail } from "@intents/domain/rails/rail.ts";
import { matchDaily } from "@intents/execution/rails/match.ts";
import { leaseTimer } from "@intents/storage/intents/timers.ts";
import { openQueue, sendMessages } from "@intents/storage/queue/queue.ts";
import type { Client } from "../service/client.ts";
import { allowanceBody, payrollBody, splitBody } from "../service/scenarios-fixture.ts";
import { create, newDraft, newKey, tuition } from "../service/tuition.ts";
import { ownWork } from "./own-work.ts";
import { request } from "./request.ts";
import type { Operation, Stage } from "./stage.ts";

const draftPath =
  (rest = "") =>
  async ({ client }: Stage) =>
    `/v2/payment-intents/${(await newDraft(client)).id}${rest}`;

/** A submit of what `make` creates, with or without an Idempotency-Key. */
const submit = (make: (client: Client) => Promise<object>, { isKeyed = true } = {}): Operation => ({
  route: "submitPaymentIntent",
  prepare: async ({ client }) => {
    const { id } = await create(client, await make(client));
    const key = isKeyed ? newKey() : undefined;
    return () => mustSubmit(client, id, key);
  },
});

async function mustSubmit(client: Client, id: string, key: string | undefined): Promise<void> {
  const { status, body } = await client.submit(id, key);
  if (status !== 200) throw new Error(JSON.stringify(body));
}

/** A draft of what `make` prepares. */
const draft = (make: (client: Client) => Promise<object>): Operation => ({
  route: "createPaymentIntent",
  prepare: async ({ client }) => {
    const body = await make(client);
    return () => create(client, body);
  },
});

const tuitionBody = async (client: Client) => (await tuition(client)).body;

/** The same with the tenant's own ids: of the payment, and of its recipient. */
async function namedBody(client: Client) {
  const { recipients, ...body } = await tuitionBody(client);
  return { ...body, externalId: newKey(), recipients: recipients.map((one) => ({ ...one, externalId: newKey() })) };
}

/** The same with metadata. */
const notedBody = async (client: Client) => ({ ...(await tuitionBody(client)), metadata: { costCentre: "4711" } });

/** A batch whose bytes are the same each time; no two of its recipients get the same. */
function batchBody(count: number, reference?: string) {
  const { recipients, ...body } = payrollBody(count);
  const amountOf = (index: number) => `${1_000 + index}.00`;
  return {
    ...body,
    recipients: recipients.map((recipient, index) => ({
      ...recipient,
      amount: { ...recipient.amount, payeeAmount: amountOf(index) },
      ...(reference !== undefined && index > 0 && { reference }),
    })),
  };
}

async function submitted({ client, moveClock }: Stage, body: object): Promise<string> {
  // An equal payment of just before would be a duplicate.
  moveClock(SETTLED_MS);
  const { id } = await create(client, body);
  await mustSubmit(client, id, newKey());
  return id;
}

/** The simulated rails have settled by then what is not overdue. */
const SETTLED_MS = 400_000;
/** Beyond the last comparison of a payment. */
const LONG_COMPARED_MS = 4 * 86_400_000;
/** The reference by which a tester makes a simulated payment take fifteen times as long. */
const OVERDUE = "SANDBOX-OVERDUE";

/** A payment of one payer, from its draft to its end. */
export const paymentOperations = {
  "the requirements of a scenario": request("previewRequirements", "POST", "/v2/payment-intents/requirements", () => ({
    body: {
      useCase: "education_provider_tuition",
      deliveryMode: "manual",
      amountMode: "payer_fixed",
      payer: { role: "student" },
    },
  })),
  "a draft is made": draft(tuitionBody),
  "a draft with own ids is made": draft(namedBody),
  "a draft with metadata is made": draft(notedBody),
  "the metadata of a payment are changed": request(
    "updatePaymentIntent",
    "PATCH",
    async (stage) => `/v2/payment-intents/${await submitted(stage, await notedBody(stage.client))}`,
    () => ({ body: { metadata: { approvedBy: "olga" } } }),
  ),
  "a draft is tried": request("dryRunPaymentIntent", "POST", draftPath("/dry-run")),
  "a draft is compiled": request("compilePaymentIntent", "POST", draftPath("/draft")),
  "a submit with a key": submit(tuitionBody),
  "a submit with own ids": submit(namedBody),
  "a submit with metadata": submit(notedBody),
  "a submit without a key": submit(tuitionBody, { isKeyed: false }),
  "a submit of a split": submit(async (client) => (await splitBody(client)).body),
  "a submit of an allowance": submit(async (client) => (await allowanceBody(client)).body),
  "a submit of a batch of 500": submit(async () => batchBody(500)),
  "a replay of a submit": {
    route: "submitPaymentIntent",
    prepare: async ({ client }: Stage) => {
      const { id } = await newDraft(client);
      const key = newKey();
      await mustSubmit(client, id, key);
      return () => mustSubmit(client, id, key);
    },
  },
  "a payment": request("getPaymentIntent", "GET", async (stage) => {
    const id = await submitted(stage, await tuitionBody(stage.client));
    return `/v2/payment-intents/${id}`;
  }),
  "the timeline of a payment": request("getPaymentIntentTimeline", "GET", async (stage) => {
    const id = await submitted(stage, await tuitionBody(stage.client));
    await stage.settle(id);
    return `/v2/payment-intents/${id}/timeline`;
  }),
  "a payment that has not ended is asked about": ownWork(async (stage) => {
    const { body } = await tuition(stage.client, { reference: OVERDUE });
    return stage.questionFor(await submitted(stage, body));
  }),
  "a due timer is leased and sent": {
    prepare: async (stage: Stage) => {
      const { id } = await newDraft(stage.client);
      const timer = await stage.timerOf(id);
      const queue = openQueue(process.env["QUEUE_URL"] ?? "");
      return async () => {
        const lease = await leaseTimer(stage.table, timer, Date.now());
        if (lease !== undefined) await sendMessages(queue, [{ message: { kind: "timer", ...lease } }]);
      };
    },
  },
  "a payment completes": ownWork(async (stage) => {
    const id = await submitted(stage, await tuitionBody(stage.client));
    stage.moveClock(SETTLED_MS);
    return stage.questionFor(id);
  }),
  "a draft expires": ownWork(async (stage) => stage.messageFor((await newDraft(stage.client)).id)),
  "ten payments are compared with their rail": {
    prepare: async (stage: Stage) => {
      stage.moveClock(LONG_COMPARED_MS);
      for (let count = 0; count < 10; count++) await submitted(stage, await tuitionBody(stage.client));
      stage.moveClock(SETTLED_MS);
      return () => matchDaily(stage.run, Number.POSITIVE_INFINITY);
    },
  },
} satisfies Record<string, Operation>;

/** Does some work while the rails break at the first payment that they are asked to make. */
async function breakingOnce({ run }: Stage, work: () => Promise<unknown>): Promise<void> {
  const ports = run.rails.map((rail) => ({ rail, execute: rail.execute }));
  let broken = 0;
  for (const { rail, execute } of ports) {
    const breaking: Rail["execute"] = (...asked) =>
      broken++ === 0 ? Promise.reject(new Error("broken")) : execute(...asked);
    Object.assign(rail, { execute: breaking });
  }
  await work();
  for (const { rail, execute } of ports) Object.assign(rail, { execute });
}

/** A batch that is paid, recipient by recipient. */
export const batchOperations = {
  "a batch of 500": request("getPaymentIntent", "GET", async (stage) => {
    const id = await submitted(stage, batchBody(500));
    return `/v2/payment-intents/${id}`;
  }),
  "ten recipients of a batch are paid": ownWork(async (stage) =>
    stage.messageFor(await submitted(stage, batchBody(10))),
  ),
  "nine recipients of a batch are paid, and the work on one fails": {
    prepare: async (stage: Stage) => {
      const id = await submitted(stage, batchBody(10));
      const message = await stage.messageFor(id);
      return () => breakingOnce(stage, () => stage.advance(message));
    },
  },
  "one recipient of a batch of 500 completes": {
    prepare: async (stage: Stage) => {
      const id = await submitted(stage, batchBody(500, OVERDUE));
      await stage.advance(await stage.messageFor(id));
      stage.moveClock(SETTLED_MS);
      const news = await stage.questionFor(id, 0);
      return async () => {
        await stage.advance(news);
        await stage.advance(await stage.wokenFor(id));
      };
    },
  },
} satisfies Record<string, Operation>;
