import type { PayerDetails } from "../api/wire.ts";
import type { MessageKey } from "../messages/en.ts";

type Rule = Readonly<{ required?: true; fits?: (value: string) => boolean; wrong: MessageKey }>;

/** The contract's rules for each field (packages/contract/src/parties.ts). The service refuses all other errors. */
const rules = {
  firstName: { required: true, wrong: "firstNameWrong" },
  lastName: { required: true, wrong: "lastNameWrong" },
  email: { required: true, fits: (value) => /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(value), wrong: "emailWrong" },
  phone: { fits: (value) => /^\(?\+?(?:[ ().-]*\d){5,20}[ ().-]*$/.test(value), wrong: "phoneWrong" },
  dob: {
    fits: (value) => /^\d{4}-\d\d-\d\d$/.test(value) && value < new Date().toISOString().slice(0, 10),
    wrong: "dobWrong",
  },
  addressLine1: { wrong: "textWrong" },
  city: { wrong: "textWrong" },
  state: { wrong: "textWrong" },
  postcode: { wrong: "textWrong" },
} as const satisfies Readonly<Record<string, Rule>>;

export type DetailField = keyof typeof rules;
export type DetailErrors = Readonly<Partial<Record<DetailField | "document", MessageKey>>>;

export const addressFields = ["addressLine1", "city", "state", "postcode"] as const satisfies readonly DetailField[];

/** The details that a payer entered, without empty fields. An address is in the country that the payer pays from. */
export function readDetails(data: FormData, country: string): { details: PayerDetails; errors: DetailErrors } {
  const entered = Object.entries<Rule>(rules).map(([name, rule]) => {
    return { name, rule, value: String(data.get(name) ?? "").trim() };
  });
  const given = entered.filter(({ value }) => value !== "");
  const wrong = entered.filter(({ value, rule }) => (value === "" ? rule.required : rule.fits?.(value) === false));
  const hasAddress = given.some(({ name }) => (addressFields as readonly string[]).includes(name));
  return {
    details: Object.fromEntries([
      ...given.map(({ name, value }) => [name, value]),
      ...(hasAddress ? [["countryCode", country]] : []),
    ]) as PayerDetails,
    errors: Object.fromEntries(wrong.map(({ name, rule }) => [name, rule.wrong])),
  };
}

/** The fields that the paths of a refusal name: `payerDetails.email`, or an identity document under any name. */
export function errorsAt(paths: readonly string[]): DetailErrors {
  const found = paths.flatMap((path): [string, MessageKey][] => {
    const name = path.split(".").at(-1) ?? "";
    if (Object.hasOwn(rules, name)) return [[name, rules[name as DetailField].wrong]];
    return /document/i.test(path) ? [["document", "documentGone"]] : [];
  });
  return Object.fromEntries(found);
}
