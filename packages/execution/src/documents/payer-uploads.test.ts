import type { ExecuteAnswer } from "@intents/domain/rails/rail.ts";
import { afterAll, expect, test } from "vitest";
import { startPayers } from "../../test/session-fixture.ts";

const { bucket, world, payers, keptOf, stop } = await startPayers();
afterAll(stop);

const refusing = () =>
  world.withRail({ execute: async (): Promise<ExecuteAnswer> => ({ kind: "refused", reason: "no" }) });

test("a session that is refused keeps nothing of what was uploaded, named or not", async () => {
  const link = await payers.publish();
  const [named] = [await payers.upload(link), await payers.upload(link)];
  const stale = await payers.request(link, { documentIds: [named], ...payers.byCard, selectedQuoteVariantId: 1 });
  expect((await payers.open(link, stale)).ok).toBe(false);
  const used = await payers.request(link, { documentIds: [named, crypto.randomUUID()] });
  expect((await payers.open(link, used)).ok).toBe(false);
  expect(await keptOf(link)).toEqual([]);
  expect(await payers.documentOf(link, named)).not.toHaveProperty("executionId");
});

test("a session that loses its document to another one keeps no copy of it", async () => {
  const link = await payers.publish();
  const documentIds = [await payers.upload(link)];
  const asked = await Promise.all(Array.from({ length: 8 }, () => payers.request(link, { documentIds })));
  const opened = await Promise.all(asked.map((one) => payers.open(link, one)));
  expect(opened.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await keptOf(link)).toEqual([(await payers.documentOf(link, documentIds[0] ?? ""))?.objectKey]);
});

test("a refusal is told although the copy cannot be deleted, and its document serves the next session", async () => {
  const link = await payers.publish();
  const documentIds = [await payers.upload(link)];
  const client = await bucket.files.client();
  const send = (command: object) =>
    command.constructor.name.startsWith("DeleteObject")
      ? Promise.reject(new Error("S3 is down"))
      : client.send(command as never);
  const files = { ...bucket.files, client: async () => ({ send }) as never };
  const refused = await payers.open(link, await payers.request(link, { documentIds }), { ...refusing(), files });
  expect(refused).toMatchObject({ ok: false, failure: { kind: "rail_refused" } });
  expect(await keptOf(link)).toHaveLength(1);
  await payers.begin(link, { documentIds });
  expect(await keptOf(link)).toContain((await payers.documentOf(link, documentIds[0] ?? ""))?.objectKey);
});
