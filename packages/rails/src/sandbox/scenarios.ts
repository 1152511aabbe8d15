import type { PaymentLeg } from "@intents/domain/rails/rail.ts";
import { type TestOutcome, testOutcomes } from "@intents/domain/rails/test-outcomes.ts";

// Everything by which a tester chooses what a simulated rail does. The rails read it, and so does whoever lists it.

/** The effect of a recipient's reference. */
export type TestReference = Readonly<{
  /** The same for readers: of a payment, and of one recipient of a batch, who is a payment of its own. */
  effect: string;
  inBatch: string;
  /** The rail's answer to the order in place of acceptance; with `unknown` it has accepted all the same. */
  answers?: "unreachable" | "duplicate" | "unknown";
  /** How many times the usual time the money takes. */
  settlementTimes?: number;
  /** The legs that fail, and the reason. */
  fails?: Readonly<{ legs: "all" | "marked"; reason: string }>;
}>;

const OTHERS = "the others go on";

export const testReferences: Readonly<Record<TestOutcome, TestReference>> = {
  "SANDBOX-FAIL": {
    effect: "The payment fails: no recipient gets anything",
    inBatch: `This recipient's payment fails, ${OTHERS}`,
    fails: { legs: "all", reason: "rejected by the beneficiary bank" },
  },
  "SANDBOX-PARTIAL": {
    effect: "The recipients with this reference get nothing, the others are paid; if all have it, only the first fails",
    inBatch: `This recipient's payment fails, ${OTHERS}`,
    fails: { legs: "marked", reason: "beneficiary account closed" },
  },
  "SANDBOX-OVERDUE": {
    effect: "The money takes many times as long",
    inBatch: `This recipient's money takes many times as long, ${OTHERS}`,
    settlementTimes: 15,
  },
  "SANDBOX-DUPLICATE": {
    effect: "The submit is refused as if the same had just been paid",
    inBatch: `The submit is taken; this recipient is refused whenever the window for duplicates has ended, and fails after a day, ${OTHERS}; \`fail\` ends it`,
    answers: "duplicate",
  },
  "SANDBOX-UNAVAILABLE": {
    effect: "The submit is refused, since the rail is not reached, and nothing is paid",
    inBatch: `The submit is taken; this recipient is tried again and again, so that the batch is \`requires_recovery\` in the end, ${OTHERS}; \`fail\` ends it`,
    answers: "unreachable",
  },
  "SANDBOX-TIMEOUT": {
    effect: "The rail takes the payment, and its first answer is lost: the same submit again gets it",
    inBatch: "The rail takes this recipient's payment, and its first answer is lost: the service asks again by itself",
    answers: "unknown",
  },
};

/** The ways in which a checkout ends, or a transfer before it has arrived. The first end is final. */
export const paymentEnds = ["paid", "declined", "expired", "cancelled"] as const;
export type PaymentEnd = (typeof paymentEnds)[number];

/** A payer's choices on a checkout's page. */
export const checkoutOutcomes = {
  pay: { end: "paid", effect: "The payment completes" },
  decline: { end: "declined", effect: "The payment fails" },
} as const satisfies Readonly<Record<string, Readonly<{ end: PaymentEnd; effect: string }>>>;
export type CheckoutOutcome = keyof typeof checkoutOutcomes;

/** A checkout that nobody has paid by then ends unpaid. */
export const CHECKOUT_OPEN_MS = 30 * 60_000;

/** The effects of a payment's references, in the order of the table. */
const askedBy = (legs: readonly PaymentLeg[]): TestReference[] =>
  testOutcomes.filter((name) => legs.some(({ reference }) => reference === name)).map((name) => testReferences[name]);

/** Whether the rail plays this answer to an order. */
export const isAnswered = (legs: readonly PaymentLeg[], answer: NonNullable<TestReference["answers"]>): boolean =>
  askedBy(legs).some(({ answers }) => answers === answer);

/** How many times the usual time a payment takes; undefined where nobody asked for anything. */
export const settlementTimesOf = (legs: readonly PaymentLeg[]): number | undefined =>
  askedBy(legs).find(({ settlementTimes }) => settlementTimes !== undefined)?.settlementTimes;

/** Why the money of each leg that fails does not arrive. */
export function failuresOf(legs: readonly PaymentLeg[]): ReadonlyMap<PaymentLeg, string> {
  const all = askedBy(legs).find(({ fails }) => fails?.legs === "all")?.fails;
  if (all !== undefined) return new Map(legs.map((leg) => [leg, all.reason]));
  const marked = legs.flatMap((leg): [PaymentLeg, string][] =>
    askedBy([leg]).flatMap(({ fails }) => (fails === undefined ? [] : [[leg, fails.reason]])),
  );
  // A link puts one reference on every leg: only the first of them fails then, since failing all is not partial.
  return new Map(marked.length === legs.length ? marked.slice(0, 1) : marked);
}
