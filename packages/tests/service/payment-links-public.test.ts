import { paymentLinkRoutes } from "@intents/contract/payment-links.ts";
import { describe, expect, test } from "vitest";
import type { Intent } from "./client.ts";
import { type LinkQuote, newPayerDetails, newSecret, publishLink, type Session, uploadForm } from "./links.ts";
import { priceLinkBody, shareLinkBody, withRecipient } from "./scenarios-fixture.ts";
import { openService } from "./service-fixture.ts";

const { client } = await openService();

type Leg = Readonly<{ payerAmount: string }>;
type Paid = Intent &
  Readonly<{
    recipients: readonly Readonly<{ amount: Readonly<{ payeeAmount: string }> }>[];
    executions: readonly Readonly<{ fee: string; currency: string; legs: readonly [Leg, Leg] }>[];
  }>;

/** A split of 87.65 % for a school and 12.35 % for the tenant, figures that nothing else contains by chance. */
const splitBody = () =>
  withRecipient(withRecipient(shareLinkBody(), 0, {}, { portionBps: 8765 }), 1, {}, { portionBps: 1235 });
const ENTERED = "1234.50";

/** Ids, tokens and hashes, in which anything may stand by chance. */
const DRAWN = /[\w+/-]{20,}/g;

/** The answers of all public routes about the link, and its page in every language. */
async function askAll({ payer, token }: Awaited<ReturnType<typeof publishLink>>, amount: string) {
  const answers: { route: keyof typeof paymentLinkRoutes | "page"; status: number; text: string }[] = [];
  const keep = <Reply extends Readonly<{ status: number; headers: Headers; body: unknown }>>(
    route: (typeof answers)[number]["route"],
    reply: Reply,
  ): Reply => {
    // The length may be any number, also one of the figures.
    const headers = JSON.stringify([...reply.headers].filter(([name]) => name !== "content-length"));
    const text = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body);
    answers.push({ route, status: reply.status, text: `${text} ${headers}`.replace(DRAWN, "") });
    return reply;
  };

  keep("getPaymentLink", await payer.call("GET", ""));
  const quotes: LinkQuote[] = [];
  for (const payerCountryCode of ["BR", "AU", "GB", "KP", "XX"]) {
    const { body } = keep("quotePaymentLink", await payer.askQuote<{ data?: LinkQuote }>({ payerCountryCode, amount }));
    if (body.data !== undefined) quotes.push(body.data);
  }
  for (const wrong of [undefined, "0.01", "12.345", "99999999"])
    keep("quotePaymentLink", await payer.askQuote({ amount: wrong }));
  keep("uploadPayerDocument", await payer.askUpload());
  keep("uploadPayerDocument", await payer.askUpload(uploadForm(new Uint8Array())));

  const [quote] = quotes;
  const sessions: Session[] = [];
  for (const settlementMethod of ["dmt", "card"]) {
    const { quoteId, variants } = await payer.quote({ amount });
    const chosen = variants.find((variant) => variant.settlementMethod === settlementMethod);
    const session = { payerDetails: newPayerDetails(), quoteId, selectedQuoteVariantId: chosen?.id };
    const secret = newSecret();
    for (const body of [{ ...session, quoteId: "another" }, { ...session, documentIds: ["unknown"] }, session]) {
      const answered = keep("openPayerSession", await payer.askSession<{ data?: Session }>(body, secret));
      if (answered.body.data !== undefined) sessions.push(answered.body.data);
      keep("findPayerSession", await payer.askAgain(secret));
      keep("keepPayerSession", await payer.askHold(secret, { willTransfer: true }));
    }
    keep("releasePayerSession", await payer.askRelease(newSecret()));
    if (settlementMethod === "card") keep("releasePayerSession", await payer.askRelease(secret));
  }
  for (const childId of [undefined, "unknown", ...sessions.map(({ paymentIntentId }) => paymentIntentId)])
    keep("getPaymentLinkStatus", await payer.askStatus(childId));
  const page = await client.call<string>("GET", `/pay/plink_${token}`, { key: null });
  const languages = [...page.body.matchAll(/hreflang="(\w+)"/g)].map(([, language]) => language);
  expect(languages.length).toBeGreaterThanOrEqual(6);
  for (const language of languages)
    for (const payment of ["", `&payment=${sessions[0]?.paymentIntentId}`])
      keep("page", await client.call("GET", `/pay/plink_${token}?lang=${language}${payment}`, { key: null }));
  return { answers, quote: quote!, sessions };
}

/** Every path of a JSON value, with `*` for each place of a list. */
const pathsIn = (value: unknown, at = ""): string[] => {
  if (Array.isArray(value)) return [...new Set(value.flatMap((one) => pathsIn(one, `${at}*.`)))];
  if (typeof value !== "object" || value === null) return [at.slice(0, -1)];
  return Object.entries(value).flatMap(([key, one]) => pathsIn(one, `${at}${key}.`));
};

/** Whether a text has a figure as a number of its own, and not as digits of another number. */
const standsIn = (figure: string, text: string): boolean => {
  const shortest = figure.replace(/\.?0+$/, "").replace(".", "\\.");
  return new RegExp(`(?<![\\d.,])${shortest}0*(?![\\d]|[.,]\\d)`).test(text.replace(/(?<=\d),(?=\d{3})/g, ""));
};

describe("a link of which the tenant takes a part", () => {
  test("names the tenant on its page alone, as the contact, and tells its part nowhere, in any language", async () => {
    const link = await publishLink(client, { reference: "Fees 2027" }, splitBody());
    const { name } = await client.must<{ name: string }>("GET", "/v2/payees/1001");
    const { answers, sessions } = await askAll(link, ENTERED);
    expect(new Set(answers.map(({ route }) => route))).toEqual(new Set([...Object.keys(paymentLinkRoutes), "page"]));
    expect(sessions).toHaveLength(2);

    const payments = await Promise.all(
      sessions.map(({ paymentIntentId }) => client.must<Paid>("GET", `/v2/payment-intents/${paymentIntentId}`)),
    );
    const secrets = payments.flatMap(({ recipients, executions: [execution] }) => [
      recipients[1]?.amount.payeeAmount ?? "",
      execution?.legs[1].payerAmount ?? "",
      execution?.fee ?? "",
    ]);
    // The tenant's own answers do contain the figures, so that the search below would find them.
    expect(secrets.every((figure) => standsIn(figure, JSON.stringify(payments)))).toBe(true);
    const figures = [...new Set(secrets), "8765", "1235", "0.1235", "12.35"];
    for (const { route, text } of answers) {
      expect({ route, named: text.includes(name) }).toEqual({ route, named: route === "page" });
      expect({ route, shown: figures.filter((figure) => standsIn(figure, text)) }).toEqual({ route, shown: [] });
      expect({ route, said: /portion|bps|splitRole|connectorPayeeId|payeeId|\btenant|"fee"/i.exec(text)?.[0] }).toEqual(
        { route, said: undefined },
      );
    }
  });

  test("answers with what its payers need, and with no other field", async () => {
    const { payer } = await publishLink(client, { reference: "Fees 2027", payFromCountryCode: "BR" }, splitBody());
    expect(pathsIn(await payer.details())).toEqual([
      ...["status", "recipientName", "amountType", "currency", "recipients.*.name", "reference"],
      ...["payFromCountryCode", "payFromCountryLocked", "isSingleUse"],
    ]);
    const quote = await payer.quote({ amount: ENTERED });
    const fields = pathsIn(quote).filter((path) => !path.startsWith("variants.*.meta."));
    expect(fields).toEqual([
      ...["quoteId", "expiresOn", "amount", "currency"],
      ...["id", "settlementMethod", "settlementChannel", "fromCurrency", "toCurrency", "fromAmount", "fxRate"].map(
        (field) => `variants.*.${field}`,
      ),
      ...["feesAndCharges", "minAmount", "maxAmount", "isWithinLimits"].map((field) => `variants.*.${field}`),
      ...["name", "payeeAmount", "payerAmount", "fromCurrency", "toCurrency"].map((field) => `payouts.*.${field}`),
    ]);
    const secret = newSecret();
    const session = await payer.open(await payer.sessionBody({ amount: ENTERED, method: "card" }), secret);
    const again = [
      ...["fromCurrency", "money", "nextAction.type", "nextAction.url", "payer.name", "payment.amount"],
      ...["payment.currency", "payment.feesAndCharges", "payment.recipients.*.amount", "payment.recipients.*.currency"],
      ...[
        "payment.recipients.*.money",
        "payment.recipients.*.name",
        "paymentIntentId",
        "paymentMethod",
        "rate",
        "reference",
        "settlementMethod",
      ],
      ...["startedAt", "status", "toCurrency"],
    ];
    expect(pathsIn(await payer.again(secret)).toSorted()).toEqual(again);
    expect(pathsIn(await payer.keep(secret)).toSorted()).toEqual(again);
    const ended = again.filter((path) => !path.startsWith("nextAction")).concat("endedAt");
    expect(pathsIn(await payer.giveBack(secret)).toSorted()).toEqual(ended.toSorted());
    expect(pathsIn(session).toSorted()).toEqual([
      ...["checkoutUrl", "nextAction.type", "nextAction.url", "payment.amount", "payment.currency"],
      ...["payment.feesAndCharges", "payment.recipients.*.amount", "payment.recipients.*.currency"],
      ...["payment.recipients.*.money", "paymentIntentId", "status"],
    ]);
  });

  test("shows in its quote and its session the amounts that are settled, to the last minor unit", async () => {
    const { payer } = await publishLink(client, {}, splitBody());
    for (const method of ["dmt", "card"]) {
      const quote = await payer.quote({ amount: ENTERED });
      const chosen = quote.variants.find(({ settlementMethod }) => settlementMethod === method)!;
      const body = { payerDetails: newPayerDetails(), quoteId: quote.quoteId, selectedQuoteVariantId: chosen.id };
      const { paymentIntentId, payment, nextAction } = await payer.open(body);
      const { recipients, executions } = await client.must<Paid>("GET", `/v2/payment-intents/${paymentIntentId}`);
      const { fee, legs, currency } = executions[0]!;
      const [school, tenant] = recipients.map(({ amount }) => amount.payeeAmount);
      expect([school, tenant]).toEqual(["1082.04", "152.46"]);
      expect(quote).toMatchObject({ amount: 1082.04, payouts: [{ payeeAmount: 1082.04 }] });
      const cents = (amount: string | number) => Math.round(Number(amount) * 100);
      const charged = cents(fee) + cents(legs[1].payerAmount);
      expect([cents(chosen.feesAndCharges), cents(payment.feesAndCharges)]).toEqual([charged, charged]);
      const paid = charged + cents(legs[0].payerAmount);
      expect([cents(chosen.fromAmount), cents(payment.amount)]).toEqual([paid, paid]);
      expect(payment).toMatchObject({ currency, recipients: [{ amount: school, currency: "AUD" }] });
      if (method === "dmt") expect(nextAction).toMatchObject({ amount: payment.amount, currency });
    }
  });
});

test("a set price is what the named recipients get; the other part is charged together with the fee", async () => {
  const [school] = priceLinkBody().recipients;
  const lodging = {
    ...school!,
    connectorPayeeId: 5010,
    splitRole: "other",
    amount: { payeeAmount: "7.31", currency: "AUD" },
  };
  const { payer } = await publishLink(client, {}, { ...priceLinkBody(), recipients: [school, lodging] });
  expect(await payer.details()).toMatchObject({
    amount: "99.00",
    recipients: [{ name: "University of Sydney", amount: "99.00", currency: "AUD" }],
  });
  const quote = await payer.quote({ payerCountryCode: "AU" });
  // Within Australia nothing is exchanged, so that the charges are the other part and the fee of a bank transfer.
  const alone = await (await publishLink(client)).payer.quote({ payerCountryCode: "AU" });
  const [{ feesAndCharges }, fee] = [quote.variants[0], alone.variants[0].feesAndCharges];
  expect(feesAndCharges).toBeCloseTo(7.31 + fee, 6);
});

test("the tenant is named where the payment is for the tenant itself", async () => {
  const { name, currencyCode } = await client.must<{ name: string; currencyCode: string }>("GET", "/v2/payees/1001");
  const body = withRecipient(
    priceLinkBody("generic_service_invoice"),
    0,
    { connectorPayeeId: 1001 },
    { currency: currencyCode },
  );
  const { payer } = await publishLink(client, {}, body);
  expect(await payer.details()).toMatchObject({
    recipientName: name,
    recipients: [{ name, amount: "99.00", currency: "AUD" }],
  });
});
