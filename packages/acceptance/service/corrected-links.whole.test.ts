import { expect, test } from "vitest";
import { noRateLimit } from "./client.ts";
import { enterConsole, startConsole } from "./console-fixture.ts";
import { newSecret, type Payer, type PublishedLink, publishLink } from "./links.ts";
import { priceLinkBody } from "./scenarios-fixture.ts";
import { eventually, openOperatedService } from "./service-fixture.ts";

// A payment by a link that was completed, and whose money came back: each place where its payer asks tells the truth.

// Nothing arrives by itself, and no rail is asked by itself, for as long as these tests run.
const { client, operator, service } = await openOperatedService({
  ...{ ...noRateLimit, SANDBOX_SETTLE_SECONDS: "3600", POLL_INTERVAL_SECONDS: "3600" },
});
const languages = ["en", "es", "pt", "fr", "de", "zh", "hi", "ar"] as const;
const of = ["--tenant", "1001"];
const [SCHOOL, INSURER] = [
  { role: "public_payee", connectorPayeeId: 5001, amount: { payeeAmount: "99.00", currency: "AUD" } },
  { role: "public_payee", connectorPayeeId: 5010, amount: { payeeAmount: "50.00", currency: "AUD" } },
];

type Payment = Readonly<{
  link: PublishedLink;
  payer: Payer;
  secret: string;
  body: object;
  id: string;
  paymentId: number | undefined;
}>;
type Messages = Readonly<Record<string, string>>;

/** A payment by a link to these recipients that was completed. */
async function completed(...recipients: readonly object[]): Promise<Payment> {
  const link = await publishLink(client, { isSingleUse: true }, { ...priceLinkBody(), recipients });
  const { payer } = link;
  const [secret, body] = [newSecret(), await payer.sessionBody()];
  const { paymentIntentId: id } = await payer.open(body, secret);
  const { executions } = await client.getIntent(id);
  const paymentId = executions[0]?.connectorPaymentIds[0];
  await client.must("POST", `/sandbox/payments/${paymentId}/settle`);
  await payer.waitForPayment(id, "completed");
  return { link, payer, secret, body, id, paymentId };
}

/** The rail says that money of a payment came back; the record that an operator finds about it. */
async function comeBack({ id, paymentId, secret, payer }: Payment, which = ""): Promise<string> {
  await client.must("POST", `/sandbox/payments/${paymentId}/return${which}`);
  await eventually(async () => expect(await payer.again(secret)).toHaveProperty("underReview"));
  const listed = JSON.parse((await operator.run("reconciliation", "list", ...of, "--json")).stdout) as { id: string }[];
  return listed.find((record) => record.id.startsWith(id))?.id ?? "";
}

/** The visible text of the page that shows a payment to whoever knows its number, and all that the page could say. */
async function pageOf({ link, id }: Payment, language: string) {
  const { body } = await client.call<string>("GET", `/pay/plink_${link.token}?payment=${id}&lang=${language}`, {
    key: null,
  });
  const data = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(body)?.[1] ?? "";
  const text = body
    .replace(/<(script|style|head)\b.*?<\/\1>/gs, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&#39;/g, "'");
  return { text, messages: (JSON.parse(data) as { messages: Messages }).messages };
}

/** The parts of a text around its placeholders. */
const partsOf = (text = ""): readonly string[] => text.split(/\{\w+\}/).map((part) => part.trim());

/** In all languages, the page says these words in that language, and not that the payment went through. */
async function expectSaid(payment: Payment, name: string): Promise<void> {
  const titles = new Set<string>();
  for (const language of languages) {
    const { text, messages } = await pageOf(payment, language);
    const title = messages[`${name}Title`] ?? "";
    titles.add(title);
    for (const part of [title, ...partsOf(messages[`${name}Text`])])
      expect({ language, text }).toEqual({ language, text: expect.stringContaining(part) });
    const others = ["completed", "returned", "lookedInto", "partial"].filter((other) => other !== name);
    // A title ends where it is told as a sentence: some begin like others.
    for (const other of others.map((one) => `${messages[`${one}Title`]}.`))
      expect({ language, text }).toEqual({ language, text: expect.not.stringContaining(other) });
    expect(text).not.toContain(messages["startAgain"]);
  }
  expect(titles.size).toBe(languages.length);
}

/** The answers to the payer who knows the secret, and to whoever knows the number: the receipt's address shows them. */
async function answersTo({ payer, secret, body, id }: Payment) {
  const status = await payer.askStatus(id);
  return [await payer.again(secret), await payer.open(body, secret), (status.body as unknown as { data: object }).data];
}

test("a completed payment that came back tells its payer so, while it is looked into and when that is known", async () => {
  const payment = await completed(SCHOOL);
  await expectSaid(payment, "completed");

  const record = await comeBack(payment);
  await expectSaid(payment, "lookedInto");
  for (const answer of await answersTo(payment)) expect(answer).toHaveProperty("underReview");
  const running = await startConsole(service.url);
  const see = await enterConsole(running);
  const story = `intent?tenant=1001&id=${payment.id}`;
  expect(await see(story)).toMatch(
    new RegExp(`Under review.*since 20.*operator reconciliation close [^<]*${record}`, "s"),
  );

  await operator.change("reconciliation", "close", record, ...of, "--as", "came-back");
  expect(await see(story)).not.toMatch(/Under review|operator reconciliation close/);
  await expectSaid(payment, "returned");
  const answers = await answersTo(payment);
  const recipients = [{ money: "returned" }];
  expect(answers).toMatchObject([
    { status: "completed", money: "returned", payment: { recipients } },
    { status: "completed", payment: { recipients } },
    { status: "closed", paymentStatus: "completed", money: "returned" },
  ]);
  for (const answer of answers) expect(answer).not.toHaveProperty("underReview");
  expect(JSON.stringify(answers)).not.toMatch(/nextAction|checkoutUrl|transactionBankDetails/);

  // The fee stayed where it was, alone: operators read no amount of money beside it as unknown.
  const { stdout } = await operator.run("intents", "list", ...of);
  expect(stdout).toMatch(/delivered fee [\d,.]+ BRL/);
  expect(stdout).not.toContain("delivered ?");
  const page = await see(`search?tenant=1001&what=${payment.id}`);
  running.stop();
  expect(page).toMatch(/class="money">delivered\s*<span class="sub">fee [\d,.]+ BRL/);
});

test("of two recipients one whose money came back makes it a payment in part, and both make it one that came back", async () => {
  const payment = await completed(SCHOOL, INSURER);
  const first = await comeBack(payment, "?order=0");
  await operator.change("reconciliation", "close", first, ...of, "--recipient", "0=came-back", "1=arrived");
  await expectSaid(payment, "partial");
  expect((await payment.payer.again(payment.secret))["payment"]).toMatchObject({
    recipients: [{ money: "returned" }, { money: "delivered" }],
  });

  const second = await comeBack(payment, "?order=1");
  await expectSaid(payment, "lookedInto");
  await operator.change("reconciliation", "close", second, ...of, "--recipient", "0=never-moved", "1=came-back");
  await expectSaid(payment, "returned");
});
