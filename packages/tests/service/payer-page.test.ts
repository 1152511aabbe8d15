import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type PublishedLink, publishLink } from "./links.ts";
import { expectEnvelope, expectNotice } from "./refusals.ts";
import { priceLinkBody, shareLinkBody, withRecipient } from "./scenarios-fixture.ts";
import { openService } from "./service-fixture.ts";
import { create } from "./tuition.ts";

const { client, service } = await openService();
const link = await publishLink(client);
const dear = await publishLink(client, {}, withRecipient(priceLinkBody(), 0, {}, { payeeAmount: "1234.50" }));

const open = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  client.call<string>("GET", path, { key: null, headers });
const pageOf = ({ token }: PublishedLink, query = "", headers: Readonly<Record<string, string>> = {}) =>
  open(`/pay/plink_${token}${query}`, headers);

describe("the page of a link", () => {
  test("runs no script but its own, sends no request elsewhere, and tells nobody its address", async () => {
    const { status, headers, body } = await pageOf(link);
    expect(status).toBe(200);
    const [, inline = ""] = /<script>([^<]*)<\/script>/.exec(body) ?? [];
    expect(headers.get("content-security-policy")?.split("; ")).toEqual([
      "default-src 'none'",
      `script-src 'self' 'sha256-${createHash("sha256").update(inline).digest("base64")}'`,
      "style-src 'self'",
      "connect-src 'self'",
      "img-src data:",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    const rest = ["content-type", "referrer-policy", "cache-control", "x-content-type-options"];
    expect(rest.map((name) => headers.get(name))).toEqual([
      "text/html; charset=utf-8",
      "no-referrer",
      "no-store",
      "nosniff",
    ]);
  });

  test("has relative links only, so that it works behind any path", async () => {
    const { body } = await pageOf(link);
    const addresses = [...body.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, address = ""]) => address);
    expect(addresses.filter((address) => !/^(\?|\.\.\/assets\/|data:)/.test(address))).toEqual([]);
    expect(body).not.toContain(service.url);
  });

  test("has one address: with a slash at its end it leads there, with its parameters", async () => {
    const path = `${service.url}/pay/plink_${link.token}`;
    const { status, headers } = await fetch(`${path}/?lang=pt&payment=7`, { redirect: "manual" });
    expect(status).toBe(308);
    expect(new URL(headers.get("location") ?? "", `${path}/`).href).toBe(`${path}?lang=pt&payment=7`);
  });

  test("says what is to be paid, and nothing about the tenant", async () => {
    const { body } = await pageOf(await publishLink(client, {}, { ...priceLinkBody(), name: "Top secret" }));
    expect(body).toContain("University of Sydney");
    expect(body).toMatch(/AUD\s99\.00/);
    expect(body).not.toContain("Top secret");
  });

  test("shows a tenant's texts as text, even if they look like markup", async () => {
    const reference = `</script><script>alert(1)</script>"'<b>&amp;`;
    const { body } = await pageOf(await publishLink(client, { reference }));
    expect(body).not.toContain("alert(1)</script>");
    expect(body.match(/<script/g)).toHaveLength(3);
    const data = /<script type="application\/json" id="data">(.*)<\/script>/.exec(body)?.[1] ?? "";
    expect(JSON.parse(data).view.link.reference).toBe(reference);
  });

  test("offers only countries that can be paid from", async () => {
    const { body } = await pageOf(link);
    expect(body).toContain('<option value="BR">');
    expect(body).not.toContain('<option value="KP">');
  });

  test.each([
    ["", { "Accept-Language": "ar-EG" }, "ar", "١٬٢٣٤٫٥٠ AUD", "rtl"],
    ["?lang=de", { "Accept-Language": "zh, de-CH;q=0.5" }, "de", "AUD 1'234.50", "ltr"],
  ])("%s with %j is in %s, and writes amounts as %s", async (query, headers, language, amount, dir) => {
    const { body } = await pageOf(dear, query, headers);
    expect(body).toContain(`<html lang="${language}" dir="${dir}">`);
    const plain = body.replace(/[\u200e\u200f\u061c]/g, "").replaceAll("’", "'");
    expect(plain.replace(/[\u00a0\u202f]/g, " ")).toContain(`>${amount}</span>`);
    // The script writes figures for the very same locale, with the same digits.
    const { view } = JSON.parse(/id="data">(.*)<\/script>/.exec(body)?.[1] ?? "{}");
    expect(view.locale).toMatch(new RegExp(`^${language}-(EG|CH)-u-ca-gregory-nu-(latn|arab)$`));
  });

  test("has a title that no name can break", async () => {
    const name = "$& $1 $` $' {recipient} </title>";
    const { id } = await client.newPayee({ name });
    const { body } = await pageOf(
      await publishLink(client, {}, withRecipient(priceLinkBody(), 0, { connectorPayeeId: id })),
    );
    expect(body).toContain(">Pay $&amp; $1 $` $' {recipient} &lt;/title></title>");
  });

  test("brings the texts of the visitor's language, and of no other", async () => {
    const { body } = await pageOf(link, "?lang=de");
    const script = (await open(/"\.\.(\/assets\/client[^"]+)"/.exec(body)?.[1] ?? "")).body;
    for (const [text, isSent] of [
      ["Wie möchten Sie zahlen?", true],
      ["How would you like to pay?", false],
      ["¿Cómo quiere pagar?", false],
    ] as const) {
      expect({ text, isSent: body.includes(text) }).toEqual({ text, isSent });
      expect(script).not.toContain(text);
    }
  });

  test("is one and the same 404 page for drafts, unknown tokens and other addresses", async () => {
    const draft = await create(client, priceLinkBody());
    const addresses = [`plink_${draft.publicLinkId}`, `plink_${"A".repeat(32)}`, "plink_", link.token, "x%2F..%2Fy"];
    for (const address of addresses) {
      const { status, headers, body } = await open(`/pay/${address}`);
      expect({ address, status }).toEqual({ address, status: 404 });
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(body).toContain("We cannot find this payment link");
    }
  });

  test("says that it is closed once its one payment succeeded", async () => {
    const single = await publishLink(client, { isSingleUse: true });
    const session = await single.payer.open(await single.payer.sessionBody());
    await single.payer.waitForPayment(session.paymentIntentId, "completed");
    const { status, body } = await pageOf(single);
    expect(status).toBe(200);
    expect(body).toContain("This payment link is closed");
    expect((await pageOf(single, `?payment=${session.paymentIntentId}`)).body).toContain("Payment complete");
  });

  test("shows the status of its own payment without a script, and nothing of another link's", async () => {
    const other = await publishLink(client, {}, shareLinkBody());
    const session = await link.payer.open(await link.payer.sessionBody());
    expect((await pageOf(link, `?payment=${session.paymentIntentId}`)).body).toContain("Waiting for your transfer");
    for (const query of [session.paymentIntentId, "7".repeat(24), "x".repeat(500)])
      expect((await pageOf(other, `?payment=${query}`)).body).toContain("We cannot find this payment");
  });
});

/** At most as many bytes as a first view may take. */
const isLight = (bytes: number): boolean => bytes <= 45 * 1024;

describe("the page's assets", () => {
  const assetsOf = async (): Promise<string[]> =>
    [...(await pageOf(link)).body.matchAll(/"\.\.(\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);

  test("are named by their content and may be kept for good", async () => {
    const paths = await assetsOf();
    expect(paths).toHaveLength(2);
    for (const path of paths) {
      expect(path).toMatch(/^\/assets\/\w+-[0-9A-Z]{8}\.(js|css)$/);
      const { status, headers } = await open(path);
      expect(status).toBe(200);
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(headers.get("content-type")).toBe(`text/${path.endsWith(".js") ? "javascript" : "css"}; charset=utf-8`);
    }
  });

  test("come to at most 20 KB of compressed script, and with the page in any language to 45 KB", async () => {
    const [script = 0, style = 0] = (
      await Promise.all((await assetsOf()).toSorted((one) => (one.endsWith(".js") ? -1 : 1)).map((path) => open(path)))
    ).map(({ bytes }) => gzipSync(bytes).length);
    expect(script).toBeLessThanOrEqual(20 * 1024);
    for (const language of ["en", "es", "pt", "fr", "de", "zh", "hi", "ar"]) {
      const page = gzipSync((await pageOf(link, `?lang=${language}`)).bytes).length;
      expect({ language, whole: page + script + style }).toEqual({ language, whole: expect.toSatisfy(isLight) });
    }
  });

  test("of another deployment are not there", async () => {
    expectEnvelope(await client.call("GET", "/assets/client-OLDER.js", { key: null }), 404, "[GEN9003]");
  });
});

describe("a browser that cannot be shown a page", () => {
  test.each(["/pay", "/pay/", "/pay/plink_x/more", "/sandbox/checkout", "/sandbox/checkout/none"])(
    "is told so by a page at %s",
    async (path) => {
      expectNotice(await open(path), 404, "We cannot find this page");
      expect((await open(`${path}?lang=ar`)).body).toContain('<html lang="ar" dir="rtl">');
    },
  );

  test.each(["/payment", "/v2/pay", "/sandbox", "/assets/none.js"])("is no browser at %s", async (path) => {
    expectEnvelope(await client.call("GET", path, { key: null }), 404, "[GEN9003]");
  });

  test("is told so where its form was refused; other methods are none of a browser", async () => {
    expectEnvelope(await client.call("POST", `/pay/plink_${link.token}`, { key: null }), 405, "[GEN9005]");
    const finish = await client.call("POST", `/sandbox/checkout/${"x".repeat(32)}`, {
      key: null,
      raw: "outcome=steal",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    expectNotice(finish, 400, "This page cannot be opened like this");
  });

  test("past its rate limit is told when to come back", async () => {
    const { token } = await publishLink(client);
    const ask = () => open(`/pay/plink_${token}`, { "Accept-Language": "es-MX" });
    let last = await ask();
    // The limit is 120 a minute, of which these are at most two.
    for (let asked = 0; asked < 250 && last.status === 200; asked++) last = await ask();
    expect([last.status, last.headers.get("content-type")]).toEqual([429, "text/html; charset=utf-8"]);
    expect(last.body).toContain("<h1>Demasiadas solicitudes</h1>");
    expect(last.body).toMatch(/Inténtelo de nuevo dentro de (1 minuto|\d+ segundos?)\./);
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(last.headers.get("x-ratelimit-remaining")).toBe("0");
    const { status, bytes } = await client.call("HEAD", `/pay/plink_${token}`, { key: null });
    expect([status, bytes.length]).toEqual([429, 0]);
  });
});

test("the sandbox's checkout is in the language that the payment's page hands on, or the browser's", async () => {
  const { checkoutUrl = "" } = await dear.payer.open(await dear.payer.sessionBody({ method: "card" }));
  const path = new URL(checkoutUrl).pathname;
  const arabic = await open(`${path}?lang=ar`, { "Accept-Language": "de, ar-EG;q=0.5" });
  expect(arabic.body).toMatch(/<html lang="ar" dir="rtl">.*ادفع هذه الدفعة التجريبية.*[٠-٩]/s);
  expect((await open(path, { "Accept-Language": "fr-FR" })).body).toContain("Payer ce paiement de test");
  const declined = await fetch(`${checkoutUrl}?lang=pt`, {
    method: "POST",
    body: new URLSearchParams({ outcome: "decline" }),
  });
  expect(await declined.text()).toContain("Pagamento de teste recusado");
});
