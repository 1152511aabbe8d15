import { addAmounts, compareAmounts, toFixedMinor } from "../amounts/money.ts";
import { pick } from "../pick.ts";
import { fail, ok, type Result, type ShapeFailure } from "../result.ts";
import type { Commission } from "./commission.ts";

/** The statuses of SPEC, "States". Only `submitted` is ever left. */
export const commissionRequestStatuses = ["submitted", "paid", "rejected"] as const;
export type CommissionRequestStatus = (typeof commissionRequestStatuses)[number];

/** A commission that is not outstanding, or a request for commissions that has been decided or has not yet. */
export type CommissionFailure =
  | ShapeFailure
  | Readonly<{
      kind: "commission_state";
      reason: string;
      status?: CommissionRequestStatus;
      paymentIds?: readonly number[];
    }>;

/** A PDF beside a request. */
export type RequestFile = Readonly<{ objectKey: string; fileName: string }>;
/** A tenant's invoice, which it may replace. */
export type Invoice = RequestFile & Readonly<{ storedAt: string }>;

/** A tenant's request to be paid what it has earned. */
export type CommissionRequest = Readonly<{
  requestId: string;
  status: CommissionRequestStatus;
  /** The exact sum of its commissions, in `currency`. */
  totalAmount: string;
  currency: string;
  paymentCount: number;
  createdOn: string;
  /** When it was paid or rejected. */
  decidedOn?: string;
  /** Why it was rejected. */
  reason?: string;
  /** The first payments only: the request is one item of the store, and the others are stored beside it. */
  payments: readonly RequestedPayment[];
  invoice?: Invoice;
  proof?: RequestFile;
  /** The payments whose commission it did not hold any more when it was decided: a person has to look into these. */
  unsettled?: readonly number[];
}>;

export type RequestedPayment = Pick<
  Commission,
  "paymentId" | "studentName" | "commissionAmount" | "commissionCurrency"
>;

/** One request may name so many payments: an answer with so many of the longest names still fits into 6 MB. */
export const REQUEST_PAYMENTS_MAX = 5_000;
/** A request shows so many payments in lists; its item in the store, of 400 KB at most, has room for them. */
export const LISTED_PAYMENTS_MAX = 90;

export const toRequestedPayment = (commission: RequestedPayment): RequestedPayment =>
  pick(commission, ["paymentId", "studentName", "commissionAmount", "commissionCurrency"]);

/** A request as its tenant sees it. */
export const toRequestAnswer = (request: CommissionRequest) => ({
  ...pick(request, requestFields),
  payments: request.payments.map(toRequestedPayment),
  hasInvoice: request.invoice !== undefined,
  ...(request.invoice !== undefined && { invoicedOn: request.invoice.storedAt }),
  hasProof: request.proof !== undefined,
});
const requestFields = [
  "requestId",
  "status",
  "totalAmount",
  "currency",
  "paymentCount",
  "createdOn",
  "decidedOn",
  "reason",
] as const satisfies (keyof CommissionRequest)[];

/** A commission as it is stored: with the request that holds it, if any. */
export type HeldCommission = Readonly<{ commission: Commission; heldBy?: string }>;

/** The sum of those commissions of one payment that no request holds. */
export const sumUnheld = (stored: readonly HeldCommission[]): string =>
  addAmounts(...stored.flatMap(({ commission, heldBy }) => (heldBy === undefined ? commission.commissionAmount : [])));

export type Wish = Readonly<{ paymentIds: readonly number[]; commissionTotalAmount: string }>;

/** A refusal names at most so many ids. */
const NAMED_MAX = 20;

/**
 * The request that `wish` makes, with all outstanding commissions of its payments in the order of their ids; or why it is
 * refused. `stored` has all commissions of these payments, and of those payments that the tenant may owe for.
 */
export function planRequest(
  { paymentIds, commissionTotalAmount }: Wish,
  stored: readonly HeldCommission[],
  { requestId, createdOn }: Pick<CommissionRequest, "requestId" | "createdOn">,
): Result<{ request: CommissionRequest; commissions: readonly Commission[] }, CommissionFailure> {
  const byPayment = Map.groupBy(stored, ({ commission }) => commission.paymentId);
  const free = Map.groupBy(
    stored.filter(({ heldBy }) => heldBy === undefined).map(({ commission }) => commission),
    ({ paymentId }) => paymentId,
  );
  const unknown = paymentIds.filter((id) => !byPayment.has(id));
  if (unknown.length > 0) {
    return shape(
      ...unknown.slice(0, NAMED_MAX).map((id) => `paymentIds names ${id}, which has no commission of yours`),
    );
  }
  const held = paymentIds.filter((id) => !free.has(id));
  if (held.length > 0) return fail(notOutstanding(held));
  const reviewed = paymentIds.filter((id) => free.get(id)?.some((one) => one.underReview !== undefined));
  if (reviewed.length > 0) return fail(underReview(reviewed));
  const commissions = paymentIds
    .toSorted((left, right) => left - right)
    .flatMap((id) => free.get(id)?.toSorted(byCorrection) ?? []);
  if (commissions.length > REQUEST_PAYMENTS_MAX) {
    return shape(
      `paymentIds name ${commissions.length} commissions, and a request has ${REQUEST_PAYMENTS_MAX} at most`,
    );
  }
  const [currency = "", ...others] = new Set(commissions.map(({ commissionCurrency }) => commissionCurrency));
  if (others.length > 0) {
    return shape(`paymentIds must be of one currency, and these are of ${[currency, ...others].toSorted().join(", ")}`);
  }
  const named = new Set(paymentIds);
  const owed = [...free].filter(([id, all]) => !named.has(id) && isOwed(all, currency)).map(([id]) => id);
  if (owed.length > 0) return fail(takenBack(owed));
  const totalAmount = toFixedMinor(
    addAmounts(...commissions.map(({ commissionAmount }) => commissionAmount)),
    currency,
  );
  if (compareAmounts(totalAmount, "0") <= 0) {
    return shape(`paymentIds sum to ${totalAmount} ${currency}, and a request must sum to more than zero`);
  }
  if (compareAmounts(totalAmount, commissionTotalAmount) !== 0) {
    return shape(`commissionTotalAmount must be ${totalAmount}, the exact sum of these commissions`);
  }
  const payments = commissions.slice(0, LISTED_PAYMENTS_MAX).map(toRequestedPayment);
  const paymentCount = commissions.length;
  return ok({
    commissions,
    request: { requestId, status: "submitted", totalAmount, currency, paymentCount, createdOn, payments },
  });
}

const byCorrection = (one: Commission, other: Commission): number => (one.correction ?? 0) - (other.correction ?? 0);

/** Whether a tenant owes for a payment: its outstanding commissions, which no review keeps, sum to less than zero. */
function isOwed(outstanding: readonly Commission[], currency: string): boolean {
  const counted = outstanding.filter(
    ({ commissionCurrency, underReview: kept }) => commissionCurrency === currency && kept === undefined,
  );
  return compareAmounts(addAmounts(...counted.map(({ commissionAmount }) => commissionAmount)), "0") < 0;
}

const shape = (...problems: readonly string[]): Result<never, CommissionFailure> => fail({ kind: "shape", problems });

const underReview = (paymentIds: readonly number[]) =>
  ({
    kind: "commission_state",
    reason: "The payments of these commissions are under review",
    paymentIds: paymentIds.slice(0, NAMED_MAX),
  }) as const;

const takenBack = (paymentIds: readonly number[]) =>
  ({
    kind: "commission_state",
    reason: "The commissions of these payments sum to less than zero: a request must name them, too",
    paymentIds: paymentIds.slice(0, NAMED_MAX),
  }) as const;

/** Why a request is not paid, whose payments are under review, or were corrected to less than it would pay. */
export const notPayable = (paymentIds: readonly number[]) =>
  ({
    kind: "commission_state",
    reason: "The payments of these commissions are under review, or came back since: wait, or reject the request",
    paymentIds: paymentIds.slice(0, NAMED_MAX),
  }) as const;

export const notOutstanding = (paymentIds: readonly number[]) =>
  ({
    kind: "commission_state",
    reason: "These commissions are part of another request, or their payments came under review",
    paymentIds: paymentIds.slice(0, NAMED_MAX),
  }) as const;
