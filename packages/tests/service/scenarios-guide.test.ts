import { describe, expect, test } from "vitest";
import type { Quote } from "./client.ts";
import { openService } from "./service-fixture.ts";
import { create, dryRun, newDraft } from "./tuition.ts";

const { client } = await openService();
const { bytes } = await client.call("GET", "/docs/scenarios.md", { key: null });
/** The requests of each section of the guide: of a quote, if it needs one, and of the payment. */
const sections = Buffer.from(bytes)
  .toString()
  .split("\n### ")
  .slice(1)
  .map((section) => ({
    want: section.split("\n")[0] ?? "",
    requests: [...section.matchAll(/^`POST (\S+)`:\n\n```json\n([\s\S]*?)^```/gm)].map(
      ([, path = "", body = ""]) => [path, body] as const,
    ),
  }));

/** A payment that has failed, as a reissue needs it. */
async function failedPayment(): Promise<string> {
  const { id } = await newDraft(client, { reference: "SANDBOX-FAIL" });
  await client.submit(id);
  await client.waitForStatus(id, "failed");
  return id;
}

/** Fetches the values for the guide's brackets by the calls it names. */
async function answersFor(body: string, quote: Quote | undefined): Promise<Readonly<Record<string, unknown>>> {
  const named = [...new Set([...body.matchAll(/"<([^>]+)>"/g)].map(([, name = ""]) => name))];
  const answer = async (name: string): Promise<unknown> => {
    if (name === "quoteId") return quote?.quoteId;
    if (name === "variants[0].id") return quote?.variants[0].id;
    if (name === "payouts[0].payerAmount") return quote?.payouts[0]?.payerAmount.toFixed(2);
    if (name === "id of that payment") return failedPayment();
    if (name.startsWith("documentId")) return client.uploadPdf();
    if (name !== "paymentAccess.tenantId") throw new Error(`The guide does not say what <${name}> is`);
    const me = await client.must<Readonly<{ paymentAccess: Readonly<{ tenantId: number }> }>>("GET", "/v2/users/me");
    return me.paymentAccess.tenantId;
  };
  return Object.fromEntries(await Promise.all(named.map(async (name) => [name, await answer(name)] as const)));
}

describe("the guide of scenarios", () => {
  test.each(sections)("has a request to $want that a submit would take", async ({ requests }) => {
    const [quoted, created] = requests.length === 1 ? [undefined, requests[0]] : requests;
    expect([quoted?.[0], created?.[0]]).toEqual([quoted && "/v2/quotes", "/v2/payment-intents"]);
    const quote = quoted && (await client.newQuote(JSON.parse(quoted[1])));
    const [, body = ""] = created ?? [];
    const answers = await answersFor(body, quote);
    const filled = body.replaceAll(/"<([^>]+)>"/g, (_, name: string) => JSON.stringify(answers[name]));
    const { id } = await create(client, JSON.parse(filled));
    const { rule, requirements } = await dryRun(client, id);
    expect([rule.status, requirements]).toEqual(["enabled", []]);
  });
});
