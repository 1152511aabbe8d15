import { expect, test } from "vitest";
import { explain, sayRenewed } from "./explanation.ts";
import { holdQuote, isWithinLimits } from "./held-quote.ts";
import { createI18n } from "./i18n.ts";
import { en } from "./messages/en.ts";
import { readDetails } from "./payer-details.ts";
import { toProblem } from "./problem.ts";
import type { Variant } from "./wire.ts";

const i18n = createI18n("en", en, {});
const explained = (status: number, body: object, retryAfter?: string) =>
  explain(toProblem(status, body, retryAfter), i18n, 0);

test("a refusal that names a field is told at that field, any other in words", () => {
  expect(explained(400, { message: ["amount has more decimals than AUD has"] }).entry).toEqual({
    amount: "amountRefused",
  });
  expect(explained(400, { message: ["payerCountryCode must be BR"] }).entry).toEqual({ country: "countryRefused" });
  expect(explained(400, { message: ["payerDetails.phone must be", "payerDetails.dob must be"] }).details).toEqual({
    phone: "phoneWrong",
    dob: "dobWrong",
  });
  expect(explained(404, { code: "[GEN9003]" }).details).toEqual({ document: "documentGone" });
  expect(explained(422, { code: "[PAY0004]" })).toEqual({ text: en.refused });
  expect(explained(409, { code: "[LNK0003]" }, "3600").text).toContain("Jan 1, 1970");
});

const variant = { settlementMethod: "dmt", fromCurrency: "BRL", fee: 0, minAmount: 1, maxAmount: 100 } as Variant;

test("a renewed quote is told by what it changes for the payer", () => {
  const at = (fromAmount: number): Variant => ({ ...variant, fromAmount });
  expect(sayRenewed(undefined, at(50), i18n)).toBe("");
  expect(sayRenewed(at(50), at(50), i18n)).toContain("You still pay");
  expect(sayRenewed(at(50), at(51), i18n)).toContain("the price changed");
  expect(sayRenewed(at(50), at(101), i18n)).toBeUndefined();
  expect(sayRenewed(at(50), undefined, i18n)).toBeUndefined();
});

test.each([
  [102.2, 2.2, true],
  [102.21, 2.2, false],
  [3.2, 2.2, true],
  [3.19, 2.2, false],
])("of %d in all, with %d of it the fee, the rail takes what is sent: %s", (fromAmount, fee, fits) => {
  expect(isWithinLimits({ ...variant, fromAmount, fee })).toBe(fits);
});

test("a quote holds by the service's clock, however wrong the payer's is", () => {
  const quote = { quoteId: "q", expiresOn: "2026-01-01T00:30:00.000Z", amount: 1, currency: "AUD", variants: [] };
  const answeredAtMs = Date.parse("2026-01-01T00:00:00.000Z");
  expect(holdQuote(quote, answeredAtMs, 500).untilMs).toBe(500 + 30 * 60_000 - 1_000);
  // Late answers do not make the page ask without a pause.
  expect(holdQuote(quote, answeredAtMs + 86_400_000, 500).untilMs).toBe(2_500);
});

test("details are read without what was left empty; an address is one in the country that is paid from", () => {
  const data = new FormData();
  const entered = { firstName: " Ana ", lastName: "Silva", email: "ana@example.com", phone: "+55 (11) 98765-4321" };
  for (const [name, value] of Object.entries({ ...entered, city: "", dob: "" })) data.set(name, value);
  const details = { firstName: "Ana", lastName: "Silva", email: "ana@example.com", phone: "+5511987654321" };
  expect(readDetails(data, "BR")).toEqual({ details, errors: {} });
  data.set("city", "Recife");
  expect(readDetails(data, "BR").details).toEqual({ ...details, city: "Recife", countryCode: "BR" });
  data.set("email", "ana@example");
  data.set("firstName", " ");
  data.set("dob", "2999-01-01");
  expect(readDetails(data, "BR").errors).toEqual({
    firstName: "firstNameWrong",
    email: "emailWrong",
    dob: "dobWrong",
  });
});
