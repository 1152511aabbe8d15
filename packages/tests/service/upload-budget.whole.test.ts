import { DAY_MS } from "@intents/domain/durations.ts";
import { describe, expect, test } from "vitest";
import { type Client, fileForm, noRateLimit, pdf, type Reply } from "./client.ts";
import { publishLink } from "./links.ts";
import { expectEnvelope, expectShape } from "./refusals.ts";
import { openHeldService } from "./service-fixture.ts";

const BUDGET = 1_000_000;
const { service, client, basic } = await openHeldService({
  ...noRateLimit,
  UPLOAD_MB_PER_KEY: "1",
  UPLOAD_MB_PER_LINK: "1",
});

const nextDay = async () => service.moveClock(DAY_MS - ((await service.moveClock(0)) % DAY_MS));
const upload = (by: Client, bytes: number) => by.call("POST", "/v2/documents", { form: fileForm(pdf(bytes)) });

async function expectOverdrawn(reply: Reply<unknown>): Promise<void> {
  expectEnvelope(reply, 429);
  const nowMs = await service.moveClock(0);
  const endMs = nowMs - (nowMs % DAY_MS) + DAY_MS;
  expect(reply.body).toMatchObject({ details: { limitBytes: BUDGET, endsOn: new Date(endMs).toISOString() } });
  expect(reply.headers.get("retry-after")).toBe(String(Math.ceil((endMs - nowMs) / 1000)));
  expect(reply.headers.get("x-ratelimit-limit")).toBe(String(BUDGET));
  expect(reply.headers.get("x-ratelimit-reset")).toBe(String(endMs / 1000));
}

describe("a key's uploads of a day", () => {
  test("fit its budget to the byte, and begin anew the next day", async () => {
    await nextDay();
    expect((await upload(client, 900_000)).status).toBe(201);
    await expectOverdrawn(await upload(client, 100_001));
    expect((await upload(client, 100_000)).status).toBe(201);
    await expectOverdrawn(await upload(client, 5));
    expect((await upload(basic, 5)).status).toBe(201);
    await nextDay();
    expect((await upload(client, 5)).status).toBe(201);
  });

  test("never exceed it, however many come at once, and those that are refused for their form take nothing", async () => {
    await nextDay();
    expectShape(
      await client.call("POST", "/v2/documents", { form: fileForm(pdf(900_000), "a.pdf", "", "other") }),
      "other",
      "file",
    );
    const replies = await Promise.all(Array.from({ length: 20 }, () => upload(client, 100_000)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  test("count invoices as well, and requests without a file not at all", async () => {
    await nextDay();
    await upload(client, BUDGET);
    const path = `/v2/commissions/requests/${"0".repeat(24)}`;
    const invoice = fileForm(pdf(5), "invoice.pdf", "application/pdf", "invoice");
    await expectOverdrawn(await client.call("PUT", path, { form: invoice }));
    const bare = new FormData();
    bare.set("paymentIds", "[1]");
    bare.set("commissionTotalAmount", "1.00");
    expectShape(await client.call("POST", "/v2/commissions/requests", { form: bare }), "paymentIds");
  });
});

test("payers' uploads on a link fit the link's budget, whoever they are, and leave other links and the key alone", async () => {
  await nextDay();
  const [link, other] = [await publishLink(client), await publishLink(client)];
  const uploadOn = async (token: string, bytes: number) => {
    const form = fileForm(pdf(bytes));
    form.set("documentType", "identity");
    return client.call("POST", `/v2/public/payment-links/${token}/documents`, { key: null, form });
  };
  expect((await uploadOn(link.token, BUDGET)).status).toBe(201);
  await expectOverdrawn(await uploadOn(link.token, 5));
  expect((await uploadOn(other.token, 5)).status).toBe(201);
  expect((await upload(client, 5)).status).toBe(201);
});
