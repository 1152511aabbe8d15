import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Rail } from "@intents/domain/rails/rail.ts";
import { byHttp, httpTerms, openServers } from "@intents/rails/test/http-fixture.ts";
import { afterAll, expect, test } from "vitest";
import { noRateLimit } from "./client.ts";
import { openHeldService } from "./service-fixture.ts";
import { newDraft } from "./tuition.ts";

const folder = mkdtempSync(join(tmpdir(), "rail-secret-"));
const file = join(folder, "secret");
writeFileSync(file, "former\n");
const { serveOverHttp, closeAll } = openServers();
afterAll(() => {
  closeAll();
  rmSync(folder, { recursive: true });
});

let nowMs = Date.now();
/** A rail that takes every payment of whoever signs with one of its secrets. */
const known: [string, ...string[]] = ["former"];
const pending = async () => ({ kind: "pending" }) as const;
const rail: Rail = {
  rail: { ...httpTerms.rail, address: "here" },
  describe: () => ({ provider: "", action: "", version: "", maxRecipients: 1, acceptedLimitations: [] }),
  execute: async (_, id) => ({ kind: "accepted", railPaymentId: id, expectedSettlementMs: nowMs + 86_400_000 }),
  status: pending,
  cancel: pending,
  fund: async () => ({ kind: "refused", reason: "no batches here" }),
  list: async () => ({ kind: "page", payments: [] }),
};
const { client, service } = await openHeldService({
  ...noRateLimit,
  ...byHttp(await serveOverHttp(rail, known, () => nowMs), file),
});

async function pay(): Promise<number> {
  nowMs = await service.moveClock(0);
  const { id } = await newDraft(client);
  return (await client.submit(id)).status;
}

/** The steps of the runbook. After each of them payments go on. */
const steps: Readonly<Record<string, () => Promise<void>>> = {
  "Make a secret.": async () => undefined,
  "The rail accepts both.": async () => {
    known.unshift("newest");
  },
  "The service signs by the new one.": async () => {
    writeFileSync(file, "newest\nformer\n");
    expect(await pay()).toBe(200);
    await service.moveClock(300_000);
  },
  "The rail forgets the former.": async () => {
    known.pop();
    writeFileSync(file, "newest\n");
  },
};

test("the rail's secret is changed step by step as the runbook says, without a restart and without a failed payment", async () => {
  const runbook = readFileSync(new URL("../../../docs/runbooks/rail-secret.md", import.meta.url), "utf8");
  const titles = [...runbook.matchAll(/^\d\. \*\*(.+?)\*\*/gm)].map(([, title]) => title);
  expect(titles).toEqual(Object.keys(steps));
  const pid = service.pid;
  expect(await pay()).toBe(200);
  for (const [title, take] of Object.entries(steps)) {
    await take();
    expect(await pay(), title).toBe(200);
  }
  expect(service.pid).toBe(pid);
  expect(known).toEqual(["newest"]);
});

test("the word of a rail that does not know the secret is nobody's: whether it has paid is unknown", async () => {
  known[0] = "of somebody else";
  const { id } = await newDraft(client);
  const { status, body } = await client.submit(id);
  expect([status, body]).toMatchObject([502, { code: "[PAY0002]" }]);
});
