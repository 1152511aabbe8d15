import { type IntentExtras, toIntentItem } from "../answers/intent-answer.ts";
import { type Commission, toCommissionAnswer } from "../commissions/commission.ts";
import { type CommissionRequest, toRequestAnswer } from "../commissions/request.ts";
import type { PaymentIntent } from "../intents/payment-intent.ts";
import { type SavedPayer, type Student, toPayerAnswer, toStudentAnswer } from "../parties/party.ts";
import { type Payee, toPayeeAnswer } from "../parties/payee.ts";

/**
 * An `id` is a number that may be asked for by any text: a text that is no number is simply not found (DESIGN 17). A
 * `textId` is any other id of the service's own, in its one spelling. A `date` is a moment, `2026-01-31T09:30:00.000Z`;
 * a `day` is `2026-01-31`. Both sort like their text. A `decimal` is a text that counts as the number it means: an
 * amount of money, or a rate.
 */
export type FieldType = "string" | "number" | "id" | "textId" | "boolean" | "date" | "day" | "decimal";

/** The paths that lead to values of type `Kind`, without the places in arrays. */
type PathTo<Kind, Node> = Node extends readonly (infer Element)[]
  ? PathTo<Kind, Element>
  : { [Name in keyof Node & string]-?: PathBelow<Kind, Name, NonNullable<Node[Name]>> }[keyof Node & string];
type PathBelow<Kind, Name extends string, Value> = Value extends readonly (infer Element)[]
  ? PathBelow<Kind, Name, NonNullable<Element>>
  : Value extends Kind
    ? Name
    : Value extends object
      ? `${Name}.${PathTo<Kind, Value>}`
      : never;

/** The fields that hold money or rates, by their names. */
type Decimals<Path extends string> = Extract<
  Path,
  "fee" | "amount" | `${string}${".fee" | ".amount" | ".announced" | ".received" | ".surplus" | "Amount" | "Rate"}`
>;

/**
 * The types of an item's fields. Numbers, booleans, amounts and rates without a row do not compile; of other texts
 * those that are called ids are such, and the rest are strings.
 */
type Fields<Item> = Readonly<
  Record<PathTo<number, Item>, "number" | "id"> &
    Record<PathTo<boolean, Item>, "boolean"> &
    Record<Decimals<PathTo<string, Item>>, "decimal"> &
    Partial<
      Record<
        Exclude<PathTo<string, Item>, Decimals<PathTo<string, Item>> | `metadata.${string}`>,
        "date" | "day" | "string"
      >
    >
>;

type Resource<Stored, Item extends object> = Readonly<{
  /** The record as callers see it in a list: what filters, sorts and projections work on, and nothing else. */
  toItem: (stored: Stored, beside?: IntentExtras) => Item;
  fields: Fields<Item>;
  /** The references that `population` can replace (DESIGN 12). */
  populations: readonly string[];
}>;

const define = <Stored, Item extends object>(resource: Resource<Stored, Item>) => resource;

const partyDates = { createdAt: "date", updatedAt: "date" } as const;

/** The kinds of records that can be listed, and their fields. */
export const listResources = {
  INTENT: define({
    toItem: (stored: PaymentIntent, beside?: IntentExtras) => toIntentItem(stored, beside),
    fields: {
      "underReview.since": "date",
      "corrections.number": "number",
      "corrections.at": "date",
      "corrections.order": "number",
      "corrections.payerAmount": "decimal",
      "corrections.payeeAmount": "decimal",
      // A caller spells its own ids as it likes.
      externalId: "string",
      "recipients.externalId": "string",
      createdAt: "date",
      updatedAt: "date",
      termsAccepted: "boolean",
      lastConnectorPaymentId: "id",
      linkClosedAt: "date",
      "payer.details.dob": "day",
      "subject.details.dob": "day",
      "recipients.order": "number",
      "recipients.connectorPayeeId": "id",
      "recipients.amount.payerAmount": "decimal",
      "recipients.amount.payeeAmount": "decimal",
      "recipients.amount.portionBps": "number",
      "instructions.manualPayment.selectedQuoteVariantId": "id",
      "instructions.manualPayment.quotePayoutOrderConfirmed": "boolean",
      "instructions.paymentLink.isSingleUse": "boolean",
      "statusHistory.at": "date",
      "executions.startedAt": "date",
      "executions.receivedAt": "date",
      "executions.endedAt": "date",
      "executions.connectorPaymentIds": "id",
      // A rail spells its ids as it likes.
      "executions.railPaymentId": "string",
      "executions.payer.dob": "day",
      "executions.subject.dob": "day",
      "executions.fee": "decimal",
      "executions.legs.order": "number",
      "executions.legs.payeeId": "id",
      "executions.legs.payerAmount": "decimal",
      "executions.legs.payeeAmount": "decimal",
      "executionPlan.compiledAt": "date",
      "executionPlan.selectedQuoteVariantId": "id",
      "payerChoice.selectedQuoteVariantId": "id",
      "payerChoice.fxRate": "decimal",
      "executionPlan.totalAmount": "decimal",
      "executionPlan.fee": "decimal",
      "executionPlan.legs.order": "number",
      "executionPlan.legs.payeeId": "id",
      "executionPlan.legs.payerAmount": "decimal",
      "executionPlan.legs.payeeAmount": "decimal",
      "connectorPayment.dueDate": "day",
      "connectorPayment.amount": "decimal",
      "connectorPayment.announced": "decimal",
      "connectorPayment.received": "decimal",
      "connectorPayment.surplus": "decimal",
      "connectorPayment.payouts.payerAmount": "decimal",
      "connectorPayment.payouts.payeeAmount": "decimal",
      "bulkProgress.total": "number",
      "bulkProgress.completed": "number",
      "bulkProgress.failed": "number",
      "bulkProgress.cancelled": "number",
    },
    populations: ["payer.partyId", "subject.partyId", "recipients.connectorPayeeId", "createdFrom.paymentIntentId"],
  }),
  STUDENT: define({
    toItem: (stored: Student) => ({ id: stored._id, ...toStudentAnswer(stored) }),
    fields: { dob: "day", externalId: "string", ...partyDates },
    populations: [],
  }),
  PAYER: define({
    toItem: (stored: SavedPayer) => ({ id: stored._id, ...toPayerAnswer(stored) }),
    fields: { "profile.dob": "day", externalId: "string", ...partyDates },
    populations: [],
  }),
  PAYEE: define({
    toItem: (stored: Payee) => ({ _id: stored.id, ...toPayeeAnswer(stored) }),
    fields: { id: "id", _id: "id", createdAt: "date" },
    populations: [],
  }),
  COMMISSION: define({
    toItem: (stored: Commission) => ({ _id: stored.id, ...toCommissionAnswer(stored) }),
    fields: {
      paymentId: "id",
      correction: "number",
      payerAmount: "decimal",
      commissionAmount: "decimal",
      commissionSpread: "number",
      paymentDate: "date",
      commissionRequestDate: "date",
      commissionPaidDate: "date",
      "underReview.since": "date",
    },
    populations: [],
  }),
  COMMISSION_REQUEST: define({
    toItem: (stored: CommissionRequest) => ({
      id: stored.requestId,
      _id: stored.requestId,
      ...toRequestAnswer(stored),
    }),
    fields: {
      totalAmount: "decimal",
      paymentCount: "number",
      createdOn: "date",
      decidedOn: "date",
      invoicedOn: "date",
      hasInvoice: "boolean",
      hasProof: "boolean",
      "payments.paymentId": "id",
      "payments.commissionAmount": "decimal",
    },
    populations: [],
  }),
};
export type ListKind = keyof typeof listResources;

/** The type of what stands at a path; a place in an array does not count. */
export function typeAt(kind: ListKind, path: readonly string[]): FieldType {
  const fields: Readonly<Record<string, FieldType>> = listResources[kind].fields;
  // A caller names them as it likes, and they are texts.
  if (path[0] === "metadata") return "string";
  const names = path.filter((segment) => !/^\d+$/.test(segment));
  const name = names.join(".");
  const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return known ?? (/^_?id$|Ids?$/.test(names.at(-1) ?? "") ? "textId" : "string");
}
