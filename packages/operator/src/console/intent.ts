import type { IntentView } from "@intents/console/intent.tsx";
import type { Act } from "@intents/console/parts.tsx";
import { groupAmount } from "@intents/domain/amounts/money.ts";
import type { BatchLeg } from "@intents/domain/batches/batch.ts";
import { legStatus } from "@intents/domain/batches/leg.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { IntentStatus } from "@intents/domain/intents/statuses.ts";
import type { LedgerEntry } from "@intents/domain/ledger/ledger.ts";
import { addTurnover, type Turnovers } from "@intents/domain/ledger/verify.ts";
import { describeMoney } from "@intents/domain/money-state/describe-money.ts";
import { type MoneyPart, sumByState } from "@intents/domain/money-state/money-state.ts";
import { describePayments } from "@intents/execution/search/describe.ts";
import { findMoneyFacts } from "@intents/storage/reviews/money-facts.ts";
import { FILL_IN, WHY } from "../command-line.ts";
import { readStory } from "../intents.ts";
import { toTotals } from "../ledger.ts";
import { type Moment, timelineOf } from "../timeline.ts";
import type { Means } from "./means.ts";
import { closeCommand } from "./reconciliation.ts";

/** Recipients of a batch, and moments at each end of a story, that a page shows. */
const LEGS_MAX = 100;
const MOMENTS_MAX = 150;

/** An intent with its whole story. Refuses an id that does not exist, or that is another tenant's. */
export async function readIntent(means: Means, tenantId: string, id: string): Promise<IntentView> {
  const { session } = means;
  const story = await readStory(session, tenantId, id);
  const { intent, ledger } = story;
  const open = story.reconciliations.filter(({ closed }) => closed === undefined);
  const [[row], [facts = { legs: [], corrections: [] }]] = await Promise.all([
    describePayments(session.table, [{ tenantId, payment: intent }]),
    findMoneyFacts(session.table, [intent]),
  ]);
  const { legs } = facts;
  const parts = legs.length === 0 ? [] : describeMoney(intent, { ...facts, payees: new Map() });
  if (row === undefined) throw new Error(`The payment ${id} was not described`);
  return {
    row,
    facts: [
      ...Object.entries(described(intent)).map(([name, value]) => ({ name, value })),
      ...open.map(({ openedAt, said }) => ({ name: "Under review", value: `since ${openedAt}: ${said}` })),
    ],
    related: relatedTo(intent),
    readAt: new Date().toISOString(),
    ...cut(timelineOf(story, groupAmount)),
    totals: totalsOf(ledger),
    legs: legs.slice(0, LEGS_MAX).map((leg) => toLeg(leg, parts)),
    legCount: legs.length,
    acts: [
      ...open.map((record) => ({
        says: "Close the review, with what became of the money",
        command: closeCommand(session, record),
      })),
      ...actsOn(means, intent),
    ],
  };
}

const described = ({ createdBy, amountMode, stopped }: PaymentIntent) => ({
  "Created by": createdBy,
  "Amount mode": amountMode,
  Stopped: stopped === undefined ? "" : `${stopped.how} at ${stopped.at} by ${stopped.by}: ${stopped.reason}`,
});

const relatedTo = ({ createdFrom, instructions }: PaymentIntent): IntentView["related"] => [
  ...(createdFrom === undefined ? [] : [{ name: "By the link", id: createdFrom.paymentIntentId }]),
  ...(instructions?.reissue?.paymentIntentId === undefined
    ? []
    : [{ name: "Pays again", id: instructions.reissue.paymentIntentId }]),
];

/** The beginning and the end of a story that is too long to be drawn. */
function cut(moments: readonly Moment[]): Pick<IntentView, "moments" | "left"> {
  const left = Math.max(0, moments.length - 2 * MOMENTS_MAX);
  return { left, moments: left === 0 ? moments : [...moments.slice(0, MOMENTS_MAX), ...moments.slice(-MOMENTS_MAX)] };
}

function totalsOf(ledger: readonly LedgerEntry[]): IntentView["totals"] {
  const turnovers: Turnovers = new Map();
  addTurnover(turnovers, ledger);
  return toTotals(turnovers);
}

const toLeg = (record: BatchLeg, parts: readonly MoneyPart[]): IntentView["legs"][number] => {
  const { order, payment, trouble, reason = trouble?.what } = record;
  const [leg] = payment.legs;
  return {
    order,
    payee: leg?.payeeName ?? "",
    money: sumByState(parts.filter((part) => part.order === order)),
    status: legStatus(record),
    ...(reason !== undefined && { reason }),
  };
};

type ActRow = Readonly<{ says: string; fits: (intent: PaymentIntent) => boolean; words: readonly string[] }>;

const isIn =
  (...statuses: readonly IntentStatus[]) =>
  ({ status }: PaymentIntent) =>
    statuses.includes(status);
const isRunningBatch = (intent: PaymentIntent) => intent.bulkProgress !== undefined && isIn("executing")(intent);

/** An operator's commands, and the intents that they fit; each command itself decides whether it is allowed. */
const actRows: readonly ActRow[] = [
  { says: "Hold the batch: pay none of its further recipients", fits: isRunningBatch, words: ["intents", "hold"] },
  { says: "Let the held batch go on", fits: ({ stopped }) => stopped?.how === "held", words: ["intents", "resume"] },
  {
    says: "Say how it stands, once the rail was asked by hand",
    fits: isIn("requires_recovery"),
    words: ["intents", "resolve", "--as", FILL_IN],
  },
  { says: "Cancel the draft", fits: isIn("draft"), words: ["intents", "cancel"] },
  { says: "Cancel it, if the rail calls it off", fits: isIn("executing"), words: ["intents", "cancel"] },
  {
    says: "Look into it: it is neither paid nor failed, as far as anybody knows",
    fits: isIn("executing"),
    words: ["intents", "lose-track"],
  },
  {
    says: "Open the link again that a payer holds, if the rail calls off that payment",
    fits: (intent) => isIn("pending_link_payment")(intent) && intent.instructions?.paymentLink?.isSingleUse === true,
    words: ["links", "release"],
  },
];

const actsOn = ({ session: { command } }: Means, intent: PaymentIntent): Act[] =>
  actRows
    .filter(({ fits }) => fits(intent))
    .map(({ says, words: [group = "", name = "", ...options] }) => ({
      says,
      command: command(group, name, intent.id, ...options, "--tenant", intent.tenantId, ...WHY),
    }));
