import { DAY_MS } from "@intents/domain/durations.ts";
import { newRecordId } from "@intents/domain/ids.ts";
import { copyFile, putFile } from "@intents/storage/files/files.ts";
import { reserveDocument } from "@intents/storage/parties/documents.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { transact } from "@intents/storage/table/transact.ts";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { actAs } from "../../test/acting-fixture.ts";
import { failing } from "../../test/fault-fixture.ts";
import { startPayers } from "../../test/session-fixture.ts";
import type { PublishedLink } from "../links/published-link.ts";
import { planSession, readSession } from "../payer-sessions/session-plan.ts";
import { sweepUploads } from "./upload-sweep.ts";

const { bucket, world, payers, stop } = await startPayers();
afterAll(stop);

const sweep = (deadlineMs = Number.POSITIVE_INFINITY) => actAs("daily", () => sweepUploads(world.run, deadlineMs));
/** Each test begins when everything of the tests before it has expired and gone. */
beforeEach(async () => {
  world.clock.ms += DAY_MS;
  await sweep();
});

const keys = keysOf("1001");
const put = (key: string) => putFile(bucket.files, key, Buffer.from("%PDF-1.7"), "application/pdf");
const isKept = async (key: string) => (await bucket.keysBelow(key)).length === 1;
/** Leaves a copy behind as a crash would, of a session that never came to its claim. */
async function strand(link: PublishedLink, documentId: string): Promise<string> {
  const kept = keys.keptPayerUpload({ linkId: link.intent.id, documentId }, newRecordId(1, world.run.random));
  await copyFile(bucket.files, keys.payerUpload(link.intent.id, documentId), kept);
  return kept;
}

describe("the sweep", () => {
  test("leaves alone what a session has, be it accepted or under way, and takes what others copied of it", async () => {
    const [link, slow] = [await payers.publish(), await payers.publish({ reference: "SANDBOX-TIMEOUT" })];
    const [used, held] = [await payers.upload(link), await payers.upload(slow)];
    const strays = [await strand(link, used), await strand(slow, held)] as const;
    await payers.begin(link, { documentIds: [used] });
    const unknown = await payers.open(slow, await payers.request(slow, { documentIds: [held] }));
    expect(unknown).toMatchObject({ failure: { kind: "outcome_unknown" } });
    world.clock.ms += 2 * DAY_MS;
    await sweep();
    for (const [on, id] of [[link, used] as const, [slow, held] as const]) {
      const { objectKey = "" } = (await payers.documentOf(on, id)) ?? {};
      expect(await isKept(objectKey)).toBe(true);
    }
    expect(await isKept(strays[0])).toBe(false);
    // The document of this copy may still be given back.
    expect(await isKept(strays[1])).toBe(true);
  });

  test("takes the copies of a document that nobody has once it has expired, and of one that is forgotten", async () => {
    const link = await payers.publish();
    const [stale, fresh] = [await payers.upload(link), await payers.upload(link, world.clock.ms + 2 * DAY_MS)];
    const copies = [await strand(link, stale), await strand(link, stale), await strand(link, fresh)] as const;
    const nobodys = keys.keptPayerUpload({ linkId: link.intent.id, documentId: crypto.randomUUID() }, "e");
    await put(nobodys);
    expect(await sweep()).toMatchObject({ seen: expect.any(Number), deleted: 1, finished: true });
    world.clock.ms += DAY_MS;
    expect(await sweep()).toMatchObject({ deleted: 2 });
    expect(await Promise.all([...copies, nobodys].map(isKept))).toEqual([false, false, true, false]);
    expect(await payers.documentOf(link, stale)).toBeUndefined();
  });

  test("keeps what a session has copied and is about to claim, and no claim gets what it has taken", async () => {
    const link = await payers.publish();
    const [early, late] = [await payers.upload(link), await payers.upload(link)];
    const plan = async (documentId: string) => {
      const asked = await payers.request(link, { documentIds: [documentId] });
      const facts = await readSession(world.run, link.stored, asked);
      const planned = facts.ok ? await planSession(world.run, facts.value, asked) : facts;
      if (!planned.ok) throw new Error(planned.failure.kind);
      return planned.value.child.submission;
    };
    const claim = async (submission: Awaited<ReturnType<typeof plan>>, nowMs: number) => {
      const [ref] = submission.payerDocuments ?? [];
      if (ref === undefined) throw new Error("The session names no document");
      const reserve = reserveDocument(world.table, "1001", ref, submission.executionId, nowMs);
      return {
        ...(await transact(world.table, () => [reserve])),
        kept: keys.keptPayerUpload(ref, submission.executionId),
      };
    };
    const nowMs = world.clock.ms;
    const [first, second] = [await plan(early), await plan(late)];
    await sweep();
    const claimed = await claim(first, nowMs);
    expect([claimed.done, await isKept(claimed.kept)]).toEqual([true, true]);
    world.clock.ms += DAY_MS;
    await sweep();
    const refused = await claim(second, nowMs);
    expect([refused.done, await isKept(refused.kept)]).toEqual([false, false]);
    expect(await isKept(claimed.kept)).toBe(true);
  });

  test("takes no file of another kind", async () => {
    const others = ["tmp", "kept", "exports"].map((area) => keys.object(area as "tmp", crypto.randomUUID()));
    for (const key of others) await put(key);
    await sweep();
    expect(await Promise.all(others.map(isKept))).toEqual([true, true, true]);
  });

  test("takes the file of a saved document whose record was never written, and no file that is about to get one", async () => {
    const partyId = newRecordId(1, world.run.random);
    const stray = keys.savedFile("STUDENT", partyId, crypto.randomUUID());
    await put(stray);
    const sweepAt = (nowMs: number) => sweepUploads({ ...world.run, now: () => nowMs }, Number.POSITIVE_INFINITY);
    await sweepAt(Date.now());
    expect(await isKept(stray)).toBe(true);
    expect(await sweepAt(Date.now() + 2 * DAY_MS)).toMatchObject({ deleted: 1 });
    expect(await isKept(stray)).toBe(false);
  });

  test("goes on where it stopped for want of time, and from the beginning once it came to the end", async () => {
    const link = await payers.publish();
    await strand(link, await payers.upload(link));
    const stray = keys.savedFile("STUDENT", newRecordId(1, world.run.random), crypto.randomUUID());
    await put(stray);
    const { seen, finished } = await sweep(world.clock.ms);
    expect([seen > 0, finished, await isKept(stray)]).toEqual([true, false, true]);
    const later = { ...world.run, now: () => Date.now() + 2 * DAY_MS };
    expect(await sweepUploads(later, Number.POSITIVE_INFINITY)).toEqual({ seen: 0, deleted: 1, finished: true });
    expect(await sweep()).toEqual({ seen, deleted: 0, finished: true });
  });

  test("that cannot delete fails, and the next one finds everything still there", async () => {
    const stray = keys.keptPayerUpload({ linkId: "l", documentId: crypto.randomUUID() }, "e");
    await put(stray);
    const client = await bucket.files.client();
    const send = (command: object) =>
      command.constructor.name.startsWith("DeleteObject")
        ? Promise.reject(new Error("S3 is down"))
        : client.send(command as never);
    const files = { ...bucket.files, client: async () => Object.create(client, { send: { value: send } }) };
    await expect(sweepUploads({ ...world.run, files }, Number.POSITIVE_INFINITY)).rejects.toThrow("S3 is down");
    expect(await sweep()).toMatchObject({ deleted: 1, finished: true });
  });

  test("with a copy that fails to be deleted for good deletes all others, and names it", async () => {
    const link = await payers.publish();
    const strays = [
      await strand(link, await payers.upload(link)),
      await strand(link, await payers.upload(link)),
    ] as const;
    world.clock.ms += 2 * DAY_MS;
    const as = failing(world.run, (call) => call.startsWith("DeleteObjectCommand") && call.includes(strays[0]));
    await expect(sweepUploads(as, Number.POSITIVE_INFINITY)).rejects.toThrow(strays[0]);
    expect([await isKept(strays[0]), await isKept(strays[1])]).toEqual([true, false]);
  });
});
