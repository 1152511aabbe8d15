import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { networkInterfaces } from "node:os";
import { freePort } from "@intents/local/free-port.ts";
import { openReconciliation } from "@intents/storage/reviews/reconciliation.ts";
import { describe, expect, test } from "vitest";
import { earn, mustRequest, pdfFile } from "./commissions.ts";
import { openConsole, startConsole } from "./console-fixture.ts";
import { openOperatedService } from "./service-fixture.ts";
import { newDraft } from "./tuition.ts";

const { service, client, operator } = await openOperatedService();
const opened = await openConsole(service.url);
const { origin, pathname: entrance } = new URL(opened.address);
const folder = entrance.slice(0, entrance.indexOf("enter/"));

type Reply = Readonly<{ status: number; headers: IncomingHttpHeaders; body: string }>;

/** Sends exactly these headers, which `fetch` would not let anybody do. */
const send = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET", at = origin) =>
  new Promise<Reply>((resolve, reject) => {
    const sent = httpRequest(new URL(path, at), { method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => {
        const body = Buffer.concat(parts).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
    });
    sent.on("error", reject);
    sent.end();
  });

const wrong = await send(`${folder}enter/${"A".repeat(43)}`);
const ahead = await send(entrance, {}, "HEAD");
const entered = await send(entrance);
const [cookie = ""] = String(entered.headers["set-cookie"]).split(";");
const see = (page: string, headers = {}) => send(folder + page, { cookie, ...headers });
/** The text of a page that must be shown. */
async function read(page: string): Promise<string> {
  const { status, body } = await see(page);
  expect({ status, page }).toEqual({ status: 200, page });
  return body;
}

describe("the address that the command tells", () => {
  test("is exchanged for a cookie that no script reads and no other site sends, and leads to the console", () => {
    expect(entered.status).toBe(303);
    expect(entered.headers.location).toBe(folder);
    expect(entered.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^console=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/[\w-]{43}\/$/),
    ]);
  });

  test("is void after that, and a wrong one, or a look ahead by HEAD, opens nothing and voids nothing", async () => {
    expect([wrong.status, ahead.status]).toEqual([403, 403]);
    expect(wrong.headers).not.toHaveProperty("set-cookie");
    const again = await send(entrance);
    expect([again.status, again.headers["set-cookie"]]).toEqual([403, undefined]);
    const { status, body } = await see("queue");
    expect([status, body]).toEqual([200, expect.stringContaining("Webhook endpoints")]);
  });

  test("is of this machine alone", async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((addresses = []) => addresses)
      .filter(({ internal, family }) => !internal && family === "IPv4");
    const { port } = new URL(origin);
    for (const { address } of others) {
      await expect(send(folder, { cookie }, "GET", `http://${address}:${port}`)).rejects.toThrow("ECONNREFUSED");
    }
    await expect(send(folder, { cookie }, "GET", `http://[::1]:${port}`)).rejects.toThrow();
  });
});

describe("the console", () => {
  test.each([
    ["without the cookie", "queue", {}],
    ["with another cookie", "queue", { cookie: `console=${"A".repeat(43)}` }],
    ["under another name of this machine", "queue", { cookie, host: `localhost:${new URL(origin).port}` }],
    ["under a name that was made to lead here", "queue", { cookie, host: "evil.example" }],
    ["from a page of another site", "queue", { cookie, origin: "https://evil.example" }],
    ["from a page of another port", "queue", { cookie, origin: service.url }],
    ["by another site, as browsers tell", "queue", { cookie, "sec-fetch-site": "cross-site" }],
    ["by another port, as browsers tell", "queue", { cookie, "sec-fetch-site": "same-site" }],
  ])("tells nothing %s", async (_how, page, headers) => {
    const { status, body } = await send(folder + page, headers);
    expect(status).toBe(403);
    expect(body).not.toContain("<");
  });

  test("is at no other path", async () => {
    expect((await send("/queue", { cookie })).status).toBe(403);
    expect((await send("/", { cookie })).status).toBe(403);
  });

  test.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("only reads: %s is refused", async (method) => {
    const { status, headers } = await send(`${folder}payments`, { cookie, origin }, method);
    expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
  });

  test.each([
    ["a page", "queue"],
    ["a refusal", "queue?tenant=77"],
    ["its style", "page.css"],
    ["its script", "client.js"],
  ])("lets %s be kept, framed and loaded by nobody", async (_what, page) => {
    const { headers } = await see(page);
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cross-origin-resource-policy": "same-origin",
    });
  });

  test("runs its own script alone, and calls nobody", async () => {
    const { headers, body } = await see("payments");
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; " +
        "frame-ancestors 'none'",
    );
    expect(body).not.toMatch(/(?:src|href|action)="(?:https?:)?\/\//);
  });

  test.each([
    ["payments?days=2", "days is one of 1, 7, 30"],
    ["payments?status=paid", "status is one of draft, "],
    ["payments?cursor=abc", "cursor is not one of this list"],
    ["payments?tenant=77", "There is no tenant 77"],
    ["payments?tenant=1001&tenant=1002", "tenant is given twice"],
    ["intent?id=..%2F", "id is not an id"],
    ["intent?id=01a2060a16f58963c674b676", "Tenant 1001 has no intent 01a2060a16f58963c674b676"],
    ["search?what=12.50", "Name the currency of the amount"],
    ["file?tenant=1001&request=1&file=invoice", "Tenant 1001 has no request 1"],
    ["nothing", "There is no such page"],
  ])("says what is wrong with %s", async (page, why) => {
    const { body } = await see(page);
    expect(body).toContain(why);
  });

  test("shows payments, the story of one with what was booked, and the command that would act", async () => {
    const own = { externalId: `order-${Date.now()}`, metadata: { costCentre: "cc 4711" } };
    const { id } = await newDraft(client, { changes: own });
    const draft = await read(`intent?tenant=1001&id=${id}`);
    expect(draft).toContain(`operator intents cancel ${id} --tenant 1001`);
    await client.submit(id);
    await client.waitForStatus(id, "completed");
    const page = await read(`intent?tenant=1001&id=${id}`);
    expect(page).toContain("submission claimed");
    expect(page).toMatch(/payer_receivable<\/span>.*?payable:provider_principal/);
    expect(page).not.toContain("operator intents cancel");
    expect(await read("payments")).toContain(id);
    expect(await read(`search?what=${id}`)).toContain("Found by its id");
    expect(page).toMatch(new RegExp(`${own.externalId}.*costCentre.*cc 4711`, "s"));
    const byOwnId = await read(`search?what=${own.externalId}`);
    for (const shown of ["Found by its id", id, own.externalId]) expect(byOwnId).toContain(shown);
    expect(await read("books")).toContain("In balance");
  });

  test("shows a request for commissions, and its invoice in the browser", async () => {
    const made = await mustRequest(
      client,
      [await earn(client)],
      pdfFile(Buffer.from("%PDF-1.7 an invoice"), '请求 "May".pdf'),
    );
    const page = await read("requests?tenant=1001");
    expect(page).toContain(
      `operator commission-requests pay ${made.requestId} --tenant 1001 --proof '...' --reason '...'`,
    );
    const { status, headers, body } = await see(`file?tenant=1001&request=${made.requestId}&file=invoice`);
    expect([status, body]).toEqual([200, "%PDF-1.7 an invoice"]);
    expect(headers["content-type"]).toBe("application/pdf");
    expect(headers["content-disposition"]).toMatch(/^inline; filename\*=UTF-8''%E8%AF%B7%E6%B1%82%20[\w%]+\.pdf$/);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    const { body: missing } = await see(`file?tenant=1001&request=${made.requestId}&file=proof`);
    expect(missing).toContain("has no proof");
  });

  test("shows what a rail contradicted, as text and not as markup", async () => {
    const record = { tenantId: "1002", executionId: "x", kind: "contradicts_outcome", stands: "failed" } as const;
    const openedAt = new Date().toISOString();
    const said = "<img src=x onerror=alert(1)> it's paid";
    await openReconciliation(
      operator.table,
      { ...record, intentId: "01a2060a16f58963c674b676", said, openedAt },
      Date.now(),
    );
    const page = await read("reconciliation?tenant=1002");
    expect(page).toContain("&lt;img src=x");
    expect(await read("todo?tenant=1002")).toContain("&lt;img src=x");
    expect(page).toContain(
      "operator reconciliation close '01a2060a16f58963c674b676#x#contradicts_outcome' --tenant 1002 --as '...' --reason",
    );
  });

  test("logs nothing of what was looked at", () => {
    expect(opened.output().trim().split("\n")).toEqual([
      "Open this address; it is good for one visit, and this browser alone. Ctrl-C ends the console.",
      opened.address,
    ]);
  });
});

test("a port may be given, and one that is taken is named", async () => {
  const port = String(await freePort(0));
  const running = await startConsole(service.url, "--listen", port);
  expect(new URL(running.address).host).toBe(`127.0.0.1:${port}`);
  await expect(startConsole(service.url, "--listen", port)).rejects.toThrow(
    `The console cannot listen on port ${port}: EADDRINUSE`,
  );
  running.stop();
});
