import { isDeepStrictEqual } from "node:util";
import { FundReply, type Page, PageReply, StatusesReply, StatusReply } from "../http/contract.ts";
import { answerIn } from "./asking.ts";
import { accept, askStatus, type Context, execute, isNotFound, paymentOf, promisesNothing } from "./moves.ts";

/** Nothing where the point is kept, what was found where it is broken; `notSeen` where it could not be tried. */
type Play = (context: Context) => Promise<string | undefined | Readonly<{ notSeen: string }>>;
export type Point = Readonly<{ point: string; costs: string; play: Play }>;

const wronglySigned =
  (wrong: "secret" | "time"): Play =>
  async (context) => {
    const { ask, orders } = context;
    const executionId = orders.newExecutionId();
    const answer = await ask({ method: "PUT", path: paymentOf(executionId), body: orders.newOrder(), wrong });
    const problem = promisesNothing(answer, 401);
    return problem ?? isNotFound(await askStatus(context, "GET", orders.tenantId, executionId));
  };

/** The points of docs/rail-api.yaml, in the order in which they are played. */
export const points: readonly Point[] = [
  {
    point: "a request that another secret signed is refused",
    costs: "anybody who finds the address can send payments",
    play: wronglySigned("secret"),
  },
  {
    point: "a request older than five minutes is refused",
    costs: "a request that somebody has recorded can be sent again later",
    play: wronglySigned("time"),
  },
  {
    point: "every answer is signed by the secret of its request",
    costs: "the service takes no unsigned answer: every payment is an unknown outcome for a person",
    play: async ({ ask, orders }) => {
      const tenantId = orders.tenantId;
      const answers = [
        await ask({ method: "GET", path: paymentOf(orders.newExecutionId()), query: { tenantId } }),
        await ask({ method: "PUT", path: paymentOf(orders.newExecutionId()), body: {} }),
      ];
      const bare = answers.find(({ isSigned }) => !isSigned);
      return bare && `an answer of ${bare.status} without a valid Rail-Signature`;
    },
  },
  {
    point: "an order is accepted, with where to deposit",
    costs: "no payment leaves, or its payer does not know where to pay",
    play: async (context) => {
      const made = await accept(context);
      if (typeof made === "string") return made;
      return made.answer.bankDetails === undefined ? "no bankDetails for a bank transfer (dmt)" : undefined;
    },
  },
  {
    point: "an executionId is taken once: asking again returns the first answer",
    costs: "the service asks again whenever an answer is lost, and the payee is paid twice",
    play: async (context) => {
      const made = await accept(context);
      if (typeof made === "string") return made;
      const repeated = await execute(context, made.order, made.executionId);
      return isDeepStrictEqual(repeated, made.answer)
        ? undefined
        : `the second answer differs: ${JSON.stringify(repeated)}`;
    },
  },
  {
    point: "a duplicate under another executionId is refused, and stays refused",
    costs: "a payer who submits twice by mistake pays twice",
    play: async (context) => {
      const made = await accept(context);
      if (typeof made === "string") return made;
      const executionId = context.orders.newExecutionId();
      const other = await execute(context, made.order, executionId);
      if (typeof other === "string") return other;
      if (other.kind !== "duplicate") return `${other.kind} instead of duplicate`;
      const repeated = await execute(context, made.order, executionId);
      return isDeepStrictEqual(repeated, other) ? undefined : `asked again: ${JSON.stringify(repeated)}`;
    },
  },
  {
    point: "an order that cannot be read is refused, and did nothing",
    costs: "an order that is half read is paid wrongly, or hangs as an unknown outcome",
    play: async (context) => {
      const { ask, orders } = context;
      const executionId = orders.newExecutionId();
      const { legs: _legs, ...body } = orders.newOrder();
      const problem = promisesNothing(await ask({ method: "PUT", path: paymentOf(executionId), body }), 400);
      return problem ?? isNotFound(await askStatus(context, "GET", orders.tenantId, executionId));
    },
  },
  {
    point: "an execution that never came is not found",
    costs: "the service waits for money that nobody sends",
    play: async (context) =>
      isNotFound(await askStatus(context, "GET", context.orders.tenantId, context.orders.newExecutionId())),
  },
  {
    point: "an execution belongs to its tenant",
    costs: "one customer's payment is settled by another's",
    play: async (context) => {
      const made = await accept(context);
      if (typeof made === "string") return made;
      return isNotFound(await askStatus(context, "GET", `${context.orders.tenantId}-other`, made.executionId));
    },
  },
  {
    point: "many executions are told by one question, each as when asked alone",
    costs: "payments are completed or failed by another one's status",
    play: async (context) => {
      const made = await accept(context);
      if (typeof made === "string") return made;
      const { ask, orders } = context;
      const { tenantId } = orders;
      const stranger = orders.newExecutionId();
      const asked = [made.executionId, stranger].map((executionId) => ({ tenantId, executionId }));
      const answered = await ask({ method: "POST", path: ["payments", "status"], body: { payments: asked } });
      if ([404, 405, 501].includes(answered.status)) return { notSeen: "the rail tells of one payment at a time" };
      const reply = answerIn(answered, StatusesReply);
      if (typeof reply === "string") return reply;
      const answers = reply.payments.map((payment) => StatusReply().safeParse(payment).data);
      const ofMade = answers.filter((answer) => answer?.executionId === made.executionId);
      const alone = await askStatus(context, "GET", tenantId, made.executionId);
      if (ofMade.length !== 1) return `the payment is told ${ofMade.length} times`;
      if (typeof alone !== "string" && ofMade[0]?.answer.kind !== alone.kind)
        return `${ofMade[0]?.answer.kind} in the question, ${alone.kind} alone`;
      const ofStranger = answers.find((answer) => answer?.executionId === stranger);
      return ofStranger === undefined || ofStranger.answer.kind === "not_found"
        ? undefined
        : `${ofStranger.answer.kind} for an execution that never came`;
    },
  },
  {
    point: "a payment that was called off stays called off",
    costs: "the service pays again what the rail still pays",
    play: async (context) => {
      const made = await accept(context);
      if (typeof made === "string") return made;
      const { tenantId } = context.orders;
      const cancelled = await askStatus(context, "DELETE", tenantId, made.executionId);
      if (typeof cancelled === "string") return cancelled;
      if (cancelled.kind !== "cancelled") return { notSeen: `the rail says ${cancelled.kind} to a cancellation` };
      const status = await askStatus(context, "GET", tenantId, made.executionId);
      if (typeof status === "string") return status;
      if (status.kind !== "cancelled") return `cancelled, and then ${status.kind}`;
      return isNotFound(await askStatus(context, "DELETE", tenantId, context.orders.newExecutionId()));
    },
  },
  {
    point: "a deposit of a batch is announced once",
    costs: "payers of a batch are told two places to pay",
    play: async ({ ask, orders: { tenantId, newReference } }) => {
      const reference = newReference();
      const body = { tenantId, intentId: "check", currency: "AUD", amount: "0.01" };
      const put = () => ask({ method: "PUT", path: ["fundings", reference], body });
      const [first, repeated] = [answerIn(await put(), FundReply), answerIn(await put(), FundReply)];
      if (typeof first === "string") return first;
      if (first.answer.kind !== "funded") return `${first.answer.kind} instead of funded`;
      return isDeepStrictEqual(repeated, first) ? undefined : `the second answer differs: ${JSON.stringify(repeated)}`;
    },
  },
  {
    point: "an order that names a deposit is refused unless it was announced, and tells no second place to pay",
    costs: "recipients are paid from money that nobody deposited",
    play: async (context) => {
      const { ask, orders } = context;
      const strange = orders.newOrder({ fundingReference: orders.newReference() });
      const refused = await execute(context, strange, orders.newExecutionId());
      if (typeof refused === "string") return refused;
      if (refused.kind !== "refused") return `${refused.kind} for a deposit that was not announced`;
      const fundingReference = orders.newReference();
      const body = { tenantId: orders.tenantId, intentId: "check", currency: "AUD", amount: "0.01" };
      await ask({ method: "PUT", path: ["fundings", fundingReference], body });
      const made = await accept(context, { fundingReference });
      if (typeof made === "string") return made;
      return made.answer.bankDetails === undefined ? undefined : "bankDetails beside those of the deposit";
    },
  },
  {
    point: "the list holds each accepted payment once, page by page",
    costs: "the daily match finds no payment that the books lack",
    play: async ({ ask, accepted, startedMs }) => {
      const found: Page["payments"][number][] = [];
      let after: string | undefined;
      // A rail that always says there is more is given up.
      for (let page = 0; page < 500; page++) {
        const query = { sinceMs: String(startedMs), limit: "5", ...(after !== undefined && { after }) };
        const reply = answerIn(await ask({ method: "GET", path: ["payments"], query }), PageReply);
        if (typeof reply === "string") return reply;
        if (reply.answer.payments.length > 5) return `${reply.answer.payments.length} payments in a page of 5`;
        found.push(...reply.answer.payments);
        after = reply.answer.after;
        if (after === undefined) break;
      }
      if (after !== undefined) return "no last page among 500";
      for (const [executionId, { totalAmount, payerCurrency }] of accepted) {
        const [one, ...others] = found.filter((payment) => payment.executionId === executionId);
        if (one === undefined || others.length > 0) return `${executionId} is listed ${one ? "twice" : "nowhere"}`;
        if (one.totalAmount !== totalAmount || one.currency !== payerCurrency)
          return `${executionId} is listed with ${one.totalAmount} ${one.currency}`;
      }
      return undefined;
    },
  },
  {
    point: "a payment that settles tells every recipient",
    costs: "a recipient who was not paid counts as paid, or the other way round",
    play: async (context) => {
      const { accepted, now, pause, settleWithinMs } = context;
      if (settleWithinMs === 0) return { notSeen: "--settle-within <seconds> waits for it" };
      const untilMs = now() + settleWithinMs;
      do {
        for (const [executionId, { tenantId, legs }] of accepted) {
          const status = await askStatus(context, "GET", tenantId, executionId);
          if (typeof status === "string") return status;
          if (status.kind !== "settled") continue;
          const orders = status.legs.map(({ order }) => order).toSorted();
          return isDeepStrictEqual(
            orders,
            legs.map(({ order }) => order),
          )
            ? undefined
            : `settled for orders ${orders}`;
        }
        await pause(1_000);
      } while (now() < untilMs);
      return { notSeen: "no payment settled in time" };
    },
  },
  {
    point: "an outcome that the rail does not know is `unknown`, never `not_accepted`",
    costs: "the service pays again what the rail has paid",
    play: async () => ({ notSeen: "only the rail can lose track; make it do so, and read what it answers" }),
  },
];
