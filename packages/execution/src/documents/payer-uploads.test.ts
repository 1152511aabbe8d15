import { PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { document } from "@intents/domain/intents/intent-fixture.ts";
import type { ExecuteAnswer } from "@intents/domain/rails/rail.ts";
import { findSession } from "@intents/storage/intents/payment-links.ts";
import { findPayerDocuments } from "@intents/storage/parties/documents.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { afterAll, describe, expect, test } from "vitest";
import { startPayers } from "../links/session-fixture.ts";

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

describe("a session that was under way when payers' uploads were still the tenant's", () => {
  /** Stores the claim of a session whose outcome is unknown, in the form that an earlier version stored. */
  async function claimFormerly() {
    const link = await payers.publish({ reference: "SANDBOX-TIMEOUT" });
    const documentId = crypto.randomUUID();
    const id = `${link.intent.id}-${documentId}`;
    const asked = await payers.request(link);
    await payers.open(link, asked);
    const { tenantId } = link.intent;
    const childId =
      (await findSession(world.table, { tenantId, linkId: link.intent.id, quoteId: asked.quoteId })) ?? "";
    const child = await world.get(childId);
    const { executionId = "", payerDocuments, ...submission } = child.submission ?? {};
    const doc = JSON.stringify({ ...child, submission: { ...submission, executionId, documentIds: [id] } });
    const record = { PK: `T#${tenantId}#DOCUMENT#${id}`, SK: "DOCUMENT", expiresAtMs: world.clock.ms + 1, heldTtl: 1 };
    const { db, name: TableName } = world.table;
    await db.send(
      new UpdateCommand({
        ...{ TableName, Key: keysOf(tenantId).intent(childId) },
        ...{ UpdateExpression: "SET doc = :doc", ExpressionAttributeValues: { ":doc": doc } },
      }),
    );
    await db.send(new PutCommand({ TableName, Item: { ...record, executionId, doc: JSON.stringify(document(id)) } }));
    const former = { linkId: link.intent.id, documentId, isFormer: true } as const;
    return { childId, find: async () => (await findPayerDocuments(world.table, tenantId, [former]))[0] };
  }

  test("is committed, and has used its document", async () => {
    const { childId, find } = await claimFormerly();
    expect(await world.tick(childId)).toBe("recovered");
    expect(await world.get(childId)).toMatchObject({ status: "executing" });
    expect(await find()).toMatchObject({ consumedBy: childId });
  });

  test("is released, and has given its document back", async () => {
    const { childId, find } = await claimFormerly();
    await world.tick(childId, refusing());
    expect(await world.get(childId)).toMatchObject({ status: "cancelled" });
    const freed = await find();
    expect(freed).toBeDefined();
    expect(freed).not.toHaveProperty("executionId");
  });
});
