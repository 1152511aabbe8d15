import { expect, test } from "vitest";
import { noRateLimit } from "./client.ts";
import { enterConsole, startConsole } from "./console-fixture.ts";
import { newSecret, publishLink } from "./links.ts";
import { eventually, openOperatedService } from "./service-fixture.ts";

// Nothing arrives by itself, and no rail is asked by itself, for as long as these tests run.
const { client, operator, service } = await openOperatedService({
  ...{ ...noRateLimit, SANDBOX_SETTLE_SECONDS: "3600", POLL_INTERVAL_SECONDS: "3600" },
});
const of = ["--tenant", "1001"];

test("a payment by a link that was completed and came back says so in every place where its payer and an operator ask", async () => {
  const { payer, token } = await publishLink(client, { isSingleUse: true });
  const [secret, body] = [newSecret(), await payer.sessionBody()];
  const { paymentIntentId: id } = await payer.open(body, secret);
  const { executions } = await client.getIntent(id);
  const happens = (what: string) =>
    client.must("POST", `/sandbox/payments/${executions[0]?.connectorPaymentIds[0]}/${what}`);
  await happens("settle");
  await payer.waitForPayment(id, "completed");
  /** The page that shows the payment to whoever knows its number. */
  const shown = async () => (await client.call<string>("GET", `/pay/plink_${token}?payment=${id}`, { key: null })).body;
  /** The answers to the payer who knows the secret, and to whoever knows the number. */
  const answers = async () => [
    await payer.again(secret),
    await payer.open(body, secret),
    (await payer.askStatus<{ data: object }>(id)).body.data,
  ];

  await happens("return");
  await eventually(async () => expect(await payer.again(secret)).toHaveProperty("underReview"));
  for (const answer of await answers()) expect(answer).toHaveProperty("underReview");
  expect(await shown()).toContain("is being looked into");
  const listed = JSON.parse((await operator.run("reconciliation", "list", ...of, "--json")).stdout) as { id: string }[];
  const record = listed.find((one) => one.id.startsWith(id))?.id ?? "";
  const running = await startConsole(service.url);
  const see = await enterConsole(running);
  const story = `intent?tenant=1001&id=${id}`;
  expect(await see(story)).toMatch(
    new RegExp(`Under review.*since 20.*operator reconciliation close [^<]*${record}`, "s"),
  );

  await operator.change("reconciliation", "close", record, ...of, "--as", "came-back");
  expect(await see(story)).not.toMatch(/Under review|operator reconciliation close/);
  expect(await shown()).toContain("The payment came back");
  const recipients = [{ money: "returned" }];
  const closed = await answers();
  expect(closed).toMatchObject([
    { status: "completed", money: "returned", payment: { recipients } },
    { status: "completed", payment: { recipients } },
    { status: "closed", paymentStatus: "completed", money: "returned" },
  ]);
  for (const answer of closed) expect(answer).not.toHaveProperty("underReview");

  // The fee stayed where it was, alone: operators read no amount of money beside it as unknown.
  const { stdout } = await operator.run("intents", "list", ...of);
  expect(stdout).toMatch(/delivered fee [\d,.]+ BRL/);
  expect(stdout).not.toContain("delivered ?");
  const page = await see(`search?tenant=1001&what=${id}`);
  running.stop();
  expect(page).toMatch(/class="money">delivered\s*<span class="sub">fee [\d,.]+ BRL/);
});
