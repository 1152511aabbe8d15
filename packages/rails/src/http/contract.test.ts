import { randomBytes } from "node:crypto";
import { newRecordId } from "@intents/domain/ids.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { httpTerms, openServers } from "../../test/http-fixture.ts";
import { funding, leg, order, startRailTable } from "../../test/rail-fixture.ts";
import { sandboxBank } from "../sandbox/bank.ts";
import { openSandboxRail } from "../sandbox/sandbox.ts";
import { type SandboxTerms, sandbox } from "../sandbox/terms.ts";
import { openHttpRail } from "./client.ts";

const secret = "a-shared-secret-of-the-tests";
const { serveOverHttp, closeAll } = openServers();
let table: Awaited<ReturnType<typeof startRailTable>>;
let nowMs = Date.now();
const now = () => nowMs;
beforeAll(async () => {
  table = await startRailTable();
});
afterEach(closeAll);
afterAll(() => table.stop());

const newId = () => newRecordId(nowMs, randomBytes);
const both = [sandbox, sandboxBank].map((terms) => [terms.rail.name, terms] as const);

describe.each(both)("the client against %s over the contract", (name, terms: SandboxTerms) => {
  /** The sandbox behind node:http, and a client of it. */
  async function openBoth(clientSecret = secret) {
    const { db, tableName } = table;
    const times = { settleSeconds: 2, dedupSeconds: 300, now, random: randomBytes };
    const rail = openSandboxRail({ db, tableName, baseUrl: "https://api.example", ...times }, terms);
    const url = await serveOverHttp(rail.port, [secret, "the-secret-before"], now);
    const random = (count: number) => new Uint8Array(count);
    return {
      rail,
      port: openHttpRail({ url: `${url}/rail/v1`, terms: httpTerms, secrets: async () => [clientSecret], now, random }),
    };
  }

  test.each(["dmt", "card"])(
    "a payment by %s is answered, repeated and followed as if the rail were asked directly",
    async (method) => {
      const { rail, port } = await openBoth();
      const tenantId = `http-${method}-${name}`;
      const id = `${newId()}:3`;
      const payment = order({ tenantId, settlementMethod: method, legs: [leg({ reference: "naïve – 学費" })] });
      const first = await port.execute(payment, id);
      expect(first).toMatchObject({ kind: "accepted" });
      expect(await port.execute(payment, id)).toEqual(first);
      expect(await rail.port.execute(payment, id)).toEqual(first);
      const duplicate = { kind: "duplicate", untilMs: nowMs + 300_000 };
      expect(await port.execute(payment, newId())).toEqual(duplicate);
      expect(await rail.listPayments(tenantId, { limit: 10 })).toHaveLength(1);
      expect(await port.status(tenantId, id)).toEqual({ kind: "pending" });
      expect(await port.status("another", id)).toEqual({ kind: "not_found" });
      nowMs += 30 * 60_000;
      expect(await port.status(tenantId, id)).toEqual(await rail.port.status(tenantId, id));
      expect(await port.cancel(tenantId, id)).toEqual(await rail.port.status(tenantId, id));
      expect(await port.cancel("another", id)).toEqual({ kind: "not_found" });
    },
  );

  test("a deposit for a batch is announced as if directly at the rail, and pays for orders that name it", async () => {
    const { rail, port } = await openBoth();
    const tenantId = `http-deposit-${name}`;
    // A reference is a part of the path, whatever characters it has.
    const fundingReference = "batch 7/2 ü";
    const batch = funding({ tenantId, fundingReference });
    const payment = order({ tenantId, fundingReference });
    expect(await port.execute(payment, newId())).toMatchObject({ kind: "refused" });
    const funded = await port.fund(batch);
    expect(funded).toMatchObject({ kind: "funded", bankDetails: { bankName: terms.bank.bankName } });
    nowMs += 86_400_000;
    expect(await port.fund(batch)).toEqual(funded);
    expect(await rail.port.fund(batch)).toEqual(funded);
    const answer = await port.execute(payment, newId());
    expect(answer).toMatchObject({ kind: "accepted" });
    expect(answer).not.toHaveProperty("bankDetails");
    expect(await rail.listPayments(tenantId, { limit: 10 })).toMatchObject([{ fundingReference }]);
  });

  test("many payments are asked about at once as if the rail were asked directly", async () => {
    const { rail, port } = await openBoth();
    const tenants = [`http-many-${name}-1`, `http-many-${name}-2`];
    const asked = tenants.map((tenantId) => ({ tenantId, executionId: newId() }));
    for (const { tenantId, executionId } of asked) await port.execute(order({ tenantId }), executionId);
    const some = [...asked, { tenantId: tenants[0] ?? "", executionId: "unknown" }];
    expect(await port.statuses?.(some)).toEqual([{ kind: "pending" }, { kind: "pending" }, { kind: "not_found" }]);
    nowMs += 30 * 60_000;
    const answers = await port.statuses?.(some);
    expect(answers).toMatchObject([{ kind: "settled" }, { kind: "settled" }, { kind: "not_found" }]);
    expect(answers).toEqual(await rail.port.statuses?.(some));
  });

  test("payments are listed page by page as if the rail were asked directly", async () => {
    const { rail, port } = await openBoth();
    nowMs += 1;
    const sinceMs = nowMs;
    for (const tenantId of ["http-list-1", "http-list-2", "http-list-3"]) {
      await port.execute(order({ tenantId }), newId());
    }
    const read = async (list: typeof port.list) => {
      const first = await list({ sinceMs, limit: 2 });
      if (first.kind !== "page" || first.after === undefined) throw new Error("There is one page only");
      return [first, await list({ sinceMs, limit: 2, after: first.after })];
    };
    const pages = await read(port.list);
    expect(pages).toEqual(await read(rail.port.list));
    expect(pages.map((page) => page.kind === "page" && page.payments.length)).toEqual([2, 1]);
    expect(await port.list({ sinceMs: nowMs + 1, limit: 1000 })).toMatchObject({ kind: "page", payments: [] });
  });

  test("a list from a cursor that the rail has not given is unavailable", async () => {
    const { port } = await openBoth();
    expect(await port.list({ sinceMs: 0, limit: 1, after: "made up" })).toMatchObject({ kind: "unavailable" });
  });

  test("an unavailable rail and a lost answer mean the same to the client as directly", async () => {
    const { port } = await openBoth();
    const execute = (reference: string, id: string) =>
      port.execute(order({ tenantId: "http-outcomes", legs: [leg({ reference })] }), id);
    const id = newId();
    expect(await execute("SANDBOX-UNAVAILABLE", id)).toMatchObject({ kind: "unreachable" });
    expect(await execute("SANDBOX-TIMEOUT", id)).toMatchObject({ kind: "unknown" });
    expect(await execute("SANDBOX-TIMEOUT", id)).toMatchObject({ kind: "accepted" });
  });

  test("a client that still has the secret before the newest is answered like any other", async () => {
    const { port } = await openBoth("the-secret-before");
    expect(await port.execute(order({ tenantId: `http-before-${name}` }), newId())).toMatchObject({ kind: "accepted" });
  });

  test("a client with another secret pays nothing and learns nothing", async () => {
    const { rail, port } = await openBoth("another-secret-of-the-tests");
    const id = newId();
    const tenantId = `http-secret-${name}`;
    const batch = funding({ tenantId });
    // The rail's 401 is signed with a secret that this client does not know, and so is nobody's word.
    expect(await port.execute(order({ tenantId }), id)).toMatchObject({ kind: "unknown" });
    expect(await port.fund(batch)).toMatchObject({ kind: "unknown" });
    expect(await port.status(tenantId, id)).toMatchObject({ kind: "unavailable" });
    expect(await port.list({ sinceMs: 0, limit: 1 })).toMatchObject({ kind: "unavailable" });
    expect(await rail.listPayments(tenantId, { limit: 10 })).toEqual([]);
    const named = order({ tenantId, fundingReference: batch.fundingReference });
    expect(await rail.port.execute(named, newId())).toMatchObject({ kind: "refused" });
  });
});
