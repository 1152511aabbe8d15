import { expect, test } from "vitest";
import { toProblem } from "../api/problem.ts";
import type { Variant } from "../api/wire.ts";
import { createI18n } from "../i18n.ts";
import { en } from "../messages/en.ts";
import { pickSpeech } from "../messages/languages.ts";
import { explain, sayRenewed } from "./explanation.ts";
import { holdQuote } from "./held-quote.ts";
import { readDetails } from "./payer-details.ts";

const i18n = createI18n(pickSpeech("en"), en, {});
const explained = (status: number, body: object, retryAfter?: string) =>
  explain(toProblem(status, body, retryAfter), i18n, 0);

test("a refusal that names a field is shown at that field, any other as a text", () => {
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
  for (const code of ["[LNK0003]", "[LNK0004]"]) expect(explained(409, { code }, "3600").text).toContain("Jan 1, 1970");
  expect(explained(409, { code: "[LNK0005]" })).toEqual({ text: en.tooManyUnpaid });
  expect(explained(418, {})).toEqual({ text: en.fault });
  expect(explained(503, { message: "The service is under maintenance" }, "3600").text).toMatch(
    /paused.*from Jan 1, 1970, .* on/,
  );
  expect(explained(503, { code: "[GEN9000]" }, "3600")).toEqual({ text: en.fault });
  const limits = { minAmount: "0.14", maxAmount: "2849500.00", currency: "AUD" };
  expect(explained(400, { message: ["amount is outside the limits"], details: { limits } })).toEqual({
    entry: { amount: "amountLimits" },
    limits,
  });
});

const variant = { settlementMethod: "dmt", fromCurrency: "BRL" } as Variant;

test("a renewed quote is announced by what it changes for the payer", () => {
  const at = (fromAmount: number, isWithinLimits = true): Variant => ({ ...variant, fromAmount, isWithinLimits });
  expect(sayRenewed(undefined, at(50), i18n)).toBe("");
  expect(sayRenewed(at(50), at(50), i18n)).toContain("You still pay");
  expect(sayRenewed(at(50), at(51), i18n)).toContain("the price changed");
  expect(sayRenewed(at(50), at(101, false), i18n)).toBeUndefined();
  expect(sayRenewed(at(50), undefined, i18n)).toBeUndefined();
});

test("a quote holds as long as the service's clock says, however wrong the payer's is", () => {
  const quote = { quoteId: "q", expiresOn: "2026-01-01T00:30:00.000Z", variants: [], payouts: [] };
  const answeredAtMs = Date.parse("2026-01-01T00:00:00.000Z");
  expect(holdQuote(quote, answeredAtMs, 500).untilMs).toBe(500 + 30 * 60_000 - 1_000);
  // Even when an answer comes after the quote's end, the page pauses before it asks again.
  expect(holdQuote(quote, answeredAtMs + 86_400_000, 500).untilMs).toBe(2_500);
});

test("details are read without the empty fields, and an address is in the country that the payer pays from", () => {
  const data = new FormData();
  const details = { firstName: "Ana", lastName: "Silva", email: "ana@example.com", phone: "+55 (11) 98765-4321" };
  const entered = { ...details, firstName: " Ana " };
  for (const [name, value] of Object.entries({ ...entered, city: "", dob: "" })) data.set(name, value);
  expect(readDetails(data, "BR")).toEqual({ details, errors: {} });
  data.set("city", "Recife");
  expect(readDetails(data, "BR").details).toEqual({ ...details, city: "Recife", countryCode: "BR" });
  data.set("email", "ana@example");
  data.set("firstName", " ");
  data.set("phone", "1234");
  data.set("dob", "2999-01-01");
  expect(readDetails(data, "BR").errors).toEqual({
    firstName: "firstNameWrong",
    email: "emailWrong",
    phone: "phoneWrong",
    dob: "dobWrong",
  });
});
