import type { PayerType } from "../parties/party.ts";
import type { Purpose } from "../scenarios/scenario.ts";
import type { PaymentType } from "./quote.ts";

/** A choice as the lookups list it: what a field accepts, and how to show it. */
export type Choice<Id extends string = string> = Readonly<{ id: Id; name: string }>;

const purposeNames: Readonly<Record<Purpose, string>> = {
  undergraduate: "Undergraduate studies",
  postgraduate: "Postgraduate studies",
  "high-school": "High school",
  vocational: "Vocational training",
  "language-course": "Language course",
  "professional-year": "Professional year",
  "exchange-program": "Exchange program",
  accommodation: "Accommodation",
  "allowance-payment": "Allowance",
  other: "Other",
  refund: "Refund",
  scholarship: "Scholarship",
  loan: "Loan",
  "other-request": "Other request",
  // The id keeps the specification's spelling; the name that people read is spelled right.
  comission: "Commission",
};

const payerTypeNames: Readonly<Record<PayerType, string>> = {
  student: "Student",
  parent: "Parent",
  guardian: "Guardian",
  sponsor: "Sponsor",
  agent: "Education agent",
  individual: "Individual",
  business: "Business",
  other: "Other",
};

const purposeChoices = (...ids: readonly Purpose[]): readonly Choice<Purpose>[] =>
  ids.map((id) => ({ id, name: purposeNames[id] }));

const payerTypeChoices = (...ids: readonly PayerType[]): readonly Choice[] =>
  ids.map((id) => ({ id, name: payerTypeNames[id] }));

/** The purposes of a payment, by the kind of payee. Together they are the `purposes` of an intent (DESIGN 17). */
export const purposesByType: Readonly<Record<PaymentType, readonly Choice<Purpose>[]>> = {
  provider: purposeChoices(
    "undergraduate",
    "postgraduate",
    "high-school",
    "vocational",
    "language-course",
    "professional-year",
    "exchange-program",
    "accommodation",
    "other",
  ),
  company: purposeChoices("comission", "refund", "scholarship", "loan", "accommodation", "other-request"),
  private: purposeChoices("allowance-payment", "accommodation", "refund", "scholarship", "loan", "other"),
};

/** The possible payers, by the kind of payee; students and parents pay all of them. */
export const payerTypesByType: Readonly<Record<PaymentType, readonly Choice[]>> = {
  provider: payerTypeChoices("student", "parent", "guardian", "sponsor", "agent", "individual", "business", "other"),
  company: payerTypeChoices("business", "individual", "agent", "student", "parent", "other"),
  private: payerTypeChoices("student", "parent", "guardian", "sponsor", "individual", "business", "other"),
};
