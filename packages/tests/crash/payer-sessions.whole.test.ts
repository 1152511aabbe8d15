import { sweepUploads } from "@intents/execution/documents/upload-sweep.ts";
import type { PublishedLink } from "@intents/execution/links/published-link.ts";
import type { SessionRequest } from "@intents/execution/payer-sessions/session-plan.ts";
import type { Run } from "@intents/execution/run.ts";
import { SETTLE_MS } from "@intents/execution/test/execution-fixture.ts";
import { callsToFail, failAt, faultNames, faults } from "@intents/execution/test/fault-fixture.ts";
import { startPayers } from "@intents/execution/test/session-fixture.ts";
import { listLedger } from "@intents/storage/intents/ledger.ts";
import { countUnpaid, findSession } from "@intents/storage/links/sessions.ts";
import { afterAll, describe, expect, test } from "vitest";

const { world, payers, keptOf, stop } = await startPayers();
afterAll(stop);

/** A single-use link, and a payer who is about to pay it with a document. */
async function meet() {
  const link = await payers.publish({ isSingleUse: true });
  const documentId = await payers.upload(link);
  return { link, documentId, asked: await payers.request(link, { documentIds: [documentId] }) };
}

/** Expects a payment to have used a document, and its own copy of it to be the only one, once the sweep has run. */
async function expectKept(link: PublishedLink, documentId: string, consumedBy: string): Promise<void> {
  const document = await payers.documentOf(link, documentId);
  expect(document).toMatchObject({ consumedBy });
  await sweepUploads(world.run, Number.POSITIVE_INFINITY);
  expect(await keptOf(link)).toEqual([document?.objectKey]);
}

const openBy = (link: PublishedLink, asked: SessionRequest) => (as: Run) => payers.open(link, asked, as);

describe("a payer's session whose worker", () => {
  test.each(faultNames.flatMap((fault) => ["a repeat", "the timer"].map((rescuer) => ({ fault, rescuer }))))(
    "$fault, at any call, is finished by $rescuer with one payment",
    async ({ fault, rescuer }) => {
      const first = await meet();
      for (const k of await callsToFail(world.run, fault, openBy(first.link, first.asked))) {
        const { link, documentId, asked } = await meet();
        const { letGo } = await failAt(world.run, k, faults[fault], openBy(link, asked));
        const holder = (await payers.stored(link))?.state.holder?.id;
        const { submission } = holder === undefined ? {} : await world.get(holder);
        if (submission !== undefined) world.clock.ms = Math.max(world.clock.ms, submission.leaseUntilMs);
        // Any rescuer finishes a claim. Without a claim nothing has happened, and only the payer can start over.
        if (submission !== undefined && holder !== undefined && rescuer === "the timer") {
          expect(await world.tick(holder)).toBe("recovered");
        }
        const repeat = await payers.open(link, asked);

        const id = repeat.ok ? repeat.value.paymentIntentId : "";
        const child = await world.get(id);
        expect([k, child.status]).toEqual([k, "executing"]);
        await letGo();
        expect(await world.get(id)).toEqual(child);
        expect(child.executions).toHaveLength(1);
        expect(child).not.toHaveProperty("submission");
        expect(await world.paymentsOf(id)).toMatchObject([{ executionId: child.executions[0]?.executionId }]);
        expect(await payers.stored(link)).toMatchObject({ state: { holder: { id } } });
        await expectKept(link, documentId, id);
        const audit = await world.auditOf(id);
        expect(audit.filter(({ doc }) => doc.includes("terms_accepted"))).toHaveLength(1);
        expect(await payers.open(link, asked)).toEqual(repeat);
      }
    },
  );

  test.each(faultNames)("%s while the rail refuses leaves the payment cancelled and the link free", async (fault) => {
    const refusing = { ...world, run: world.withRail({ execute: async () => ({ kind: "refused", reason: "no" }) }) };
    const first = await meet();
    for (const k of await callsToFail(refusing.run, fault, openBy(first.link, first.asked))) {
      const { link, documentId, asked } = await meet();
      const { letGo } = await failAt(refusing.run, k, faults[fault], openBy(link, asked));
      const session = { tenantId: link.intent.tenantId, linkId: link.intent.id, quoteId: asked.quoteId };
      const begun = await findSession(world.table, session);
      const { submission } = begun === undefined ? {} : await world.get(begun);
      if (submission !== undefined) world.clock.ms = Math.max(world.clock.ms, submission.leaseUntilMs);
      await payers.open(link, asked, refusing.run);
      await letGo();
      const id = (await findSession(world.table, session)) ?? "";
      expect([k, (await world.get(id)).status]).toEqual([k, "cancelled"]);
      expect(await payers.stored(link)).not.toHaveProperty("state.holder");
      expect(await countUnpaid(world.table, { ...session, source: asked.source })).toBe(0);
      await expectKept(link, documentId, await payers.begin(link, { documentIds: [documentId] }));
    }
  });
});

describe("the end of a payment by a single-use link whose worker", () => {
  test.each(faultNames)("%s, at any call, closes the link once", async (fault) => {
    const begin = async () => {
      const { link, asked } = await meet();
      const opened = await payers.open(link, asked);
      const id = opened.ok ? opened.value.paymentIntentId : "";
      world.clock.ms += SETTLE_MS;
      return { link, id };
    };
    const first = await begin();
    for (const k of await callsToFail(world.run, fault, (as) => world.tick(first.id, as))) {
      const { link, id } = await begin();
      const { letGo } = await failAt(world.run, k, faults[fault], (as) => world.tick(id, as));
      if ((await world.get(id)).status === "executing") await world.tick(id);
      await letGo();
      const [child, closed, stored] = [await world.get(id), await world.get(link.intent.id), await payers.stored(link)];
      expect([k, child.status, stored?.state.closedBy]).toEqual([k, "completed", id]);
      expect(closed).toMatchObject({ status: "pending_link_payment", version: link.intent.version + 1 });
      expect(closed.linkClosedAt).toBe(child.updatedAt);
      const entries = await listLedger(world.table, child);
      const booked = ["0 accepted", "0 settled", "fee accepted", "fee settled"];
      expect(entries.map((entry) => `${entry.id.split("#")[1]} ${entry.event}`).toSorted()).toEqual(booked);
    }
  });
});

describe("the end of a hold whose worker", () => {
  test.each(faultNames)("%s, at any call, frees the link once, and only with the rail's word", async (fault) => {
    const run = world.withRail({
      status: async () => ({ kind: "pending" }),
      cancel: async () => ({ kind: "cancelled", reason: "not paid" }),
    });
    const begin = async () => {
      const { link, asked } = await meet();
      const opened = await payers.open(link, asked);
      world.clock.ms += run.settings.transferHoldMs;
      return { link, source: asked.source, id: opened.ok ? opened.value.paymentIntentId : "" };
    };
    const first = await begin();
    for (const k of await callsToFail(run, fault, (as) => world.tick(first.id, as))) {
      const { link, source, id } = await begin();
      const { letGo } = await failAt(run, k, faults[fault], (as) => world.tick(id, as));
      const ended = (await world.get(id)).status === "cancelled";
      expect([k, (await payers.stored(link))?.state.holder?.id]).toEqual([k, ended ? undefined : id]);
      if (!ended) await world.tick(id, run);
      await letGo();
      expect([k, (await world.get(id)).status]).toEqual([k, "cancelled"]);
      expect(await payers.stored(link)).not.toHaveProperty("state.holder");
      const { tenantId, id: linkId } = link.intent;
      expect(await countUnpaid(world.table, { tenantId, linkId, source })).toBe(0);
    }
  });
});
