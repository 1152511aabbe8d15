import { newRecordId } from "@intents/domain/ids.ts";
import { operatorAudit } from "@intents/storage/audit/operators.ts";
import { findStoredRequest } from "@intents/storage/commissions/commission-requests.ts";
import { putFile } from "@intents/storage/files/files.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { commission, earnCommissions } from "@intents/storage/test/commission-fixture.ts";
import { startFiles } from "@intents/storage/test/files-fixture.ts";
import { afterAll, describe, expect, test } from "vitest";
import { actAs } from "../../test/acting-fixture.ts";
import { startWorld } from "../../test/execution-fixture.ts";
import { failAt, faults } from "../../test/fault-fixture.ts";
import type { DocumentFile } from "../documents/upload.ts";
import { sweepUploads } from "../documents/upload-sweep.ts";
import type { Run } from "../run.ts";
import { createRequest, getRequest, putInvoice, readInvoice, readProof } from "./create-request.ts";
import { decideRequest } from "./requests.ts";

const bucket = await startFiles();
const world = await startWorld(bucket.files);
afterAll(async () => {
  await world.stop();
  await bucket.stop();
});

const { run } = world;
const pdf = (text: string): DocumentFile => ({
  fileName: `${text}.pdf`,
  contentType: "application/pdf",
  bytes: Buffer.from(`%PDF-1.7 ${text}`),
});
/** For a caller who does not say which state of the request is to be changed. */
const asItIs = () => true;
const notFound = { ok: false, failure: { kind: "not_found", resource: "commission request" } };

let tenants = 9000;
/** A tenant with `count` commissions of 1.00, and its wish for all of them. */
async function newTenant(count = 2) {
  const tenantId = String(++tenants);
  const earned = Array.from({ length: count }, () => commission());
  await earnCommissions(world.table, tenantId, earned);
  const paymentIds = earned.map(({ paymentId }) => paymentId);
  const payments = earned.map(({ paymentId, studentName, commissionAmount, commissionCurrency }) => ({
    ...{ paymentId, studentName, commissionAmount, commissionCurrency },
  }));
  return { tenantId, payments, wish: { paymentIds, commissionTotalAmount: `${count}` } };
}

async function requested(invoice?: DocumentFile, count?: number) {
  const tenant = await newTenant(count);
  const created = await createRequest(run, tenant.tenantId, tenant.wish, invoice);
  if (!created.ok) throw new Error(created.failure.kind);
  const { requestId = "" } = created.value as { requestId?: string };
  return { ...tenant, created, target: { tenantId: tenant.tenantId, requestId } };
}

describe("a request for commissions", () => {
  test("answers with all that it asks for, and is found by its own tenant only", async () => {
    const { created, payments, target } = await requested();
    expect(created.value).toEqual({
      ...{ requestId: target.requestId, status: "submitted", totalAmount: "2.00", currency: "AUD", paymentCount: 2 },
      ...{ createdOn: new Date(world.clock.ms).toISOString(), payments, hasInvoice: false, hasProof: false },
    });
    expect(await getRequest(run, target)).toEqual(created);
    expect(await getRequest(run, { ...target, tenantId: "1" })).toEqual(notFound);
  });

  test("of more payments than its record shows is read with all of them", async () => {
    const { created, payments, target } = await requested(undefined, 95);
    expect(created.value).toMatchObject({ paymentCount: 95, payments });
    expect(await actAs("commissions", () => getRequest(run, target))).toEqual(created);
  });

  test("that cannot be made as it is wished says why, and nothing is stored", async () => {
    const { tenantId, wish } = await newTenant();
    const refused = await createRequest(run, tenantId, { ...wish, commissionTotalAmount: "3" }, pdf("a"));
    expect(refused).toMatchObject({ ok: false, failure: { kind: "shape" } });
    expect(await bucket.keysBelow(`requests/${tenantId}/`)).toEqual([]);
    await createRequest(run, tenantId, wish, undefined);
    expect(await createRequest(run, tenantId, wish, undefined)).toMatchObject({
      ok: false,
      failure: { kind: "commission_state", paymentIds: wish.paymentIds },
    });
  });

  test("is hidden, with all that belongs to it, until it holds all of its commissions", async () => {
    const random = (count: number) => new Uint8Array(count);
    /** The request of a tenant of its own, whose worker died before its k-th call. */
    const diedBefore = async (k: number) => {
      const { tenantId, wish } = await newTenant();
      const create = (as: Run) => createRequest({ ...as, random }, tenantId, wish, undefined);
      await failAt(run, k, faults["dies before it"], create);
      const target = { tenantId, requestId: newRecordId(world.clock.ms, random) };
      return { target, stored: await findStoredRequest(world.table, target) };
    };
    let { target, stored } = await diedBefore(3);
    // A store under load makes workers write again, so that the write may be a later call.
    for (let k = 4; stored === undefined; k++) ({ target, stored } = await diedBefore(k));
    expect(stored).toMatchObject({ phase: "claiming" });
    const hidden = [getRequest(run, target), readInvoice(run, target), readProof(run, target)];
    expect(await Promise.all([...hidden, putInvoice(run, target, pdf("a"), asItIs)])).toEqual(Array(4).fill(notFound));
  });
});

describe("the invoice of a request", () => {
  test("is kept with it, read back to the byte, and replaced by a later one, for good", async () => {
    const { created, target } = await requested(pdf("first"));
    expect(created.value).toMatchObject({ hasInvoice: true });
    expect(await readInvoice(run, target)).toMatchObject({ ok: true, value: { fileName: "first.pdf" } });
    const replaced = await putInvoice(run, target, pdf("second"), asItIs);
    expect(replaced).toEqual({ ok: true, value: { ...created.value, invoicedOn: expect.any(String) } });
    expect(replaced).not.toEqual(created);
    const read = await readInvoice(run, target);
    expect(read).toMatchObject({ ok: true, value: { fileName: "second.pdf", contentType: "application/pdf" } });
    expect(read.ok && Buffer.from(read.value.bytes).toString()).toBe("%PDF-1.7 second");
    expect(await bucket.keysBelow(`requests/${target.tenantId}/`)).toHaveLength(1);
  });

  test("stays with the proof when the daily sweep comes, which takes files whose requests were broken off", async () => {
    const { target } = await requested(pdf("kept"));
    await decide(target);
    const { requestFile } = keysOf(target.tenantId);
    const strays = [target.requestId, newRecordId(1, run.random)].map((id) => requestFile(id, crypto.randomUUID()));
    for (const stray of strays) await putFile(bucket.files, stray, Buffer.from("%PDF-1.7"), "application/pdf");
    const sweepAt = (nowMs: number) => sweepUploads({ ...run, now: () => nowMs }, Number.POSITIVE_INFINITY);
    await sweepAt(Date.now());
    expect(await bucket.keysBelow(`requests/${target.tenantId}/`)).toHaveLength(2 + strays.length);
    await sweepAt(Date.now() + 2 * 86_400_000);
    expect(await bucket.keysBelow(`requests/${target.tenantId}/`)).toHaveLength(2);
    expect(await readInvoice(run, target)).toMatchObject({ ok: true });
    expect(await readProof(run, target)).toMatchObject({ ok: true });
  });

  test("is missing where none was sent, and may be added until the request is decided", async () => {
    const { target } = await requested();
    expect(await readInvoice(run, target)).toEqual({ ok: false, failure: { kind: "not_found", resource: "invoice" } });
    expect(await putInvoice(run, target, pdf("late"), asItIs)).toMatchObject({ ok: true, value: { hasInvoice: true } });
    await decide(target);
    expect(await putInvoice(run, target, pdf("too late"), asItIs)).toMatchObject({
      ok: false,
      failure: { kind: "commission_state", status: "paid" },
    });
  });
});

async function decide(target: { tenantId: string; requestId: string }, isCurrent?: (request: object) => boolean) {
  const objectKey = keysOf(target.tenantId).requestFile(target.requestId, crypto.randomUUID());
  await putFile(bucket.files, objectKey, Buffer.from("%PDF-1.7 proof"), "application/pdf");
  const change = { operator: "olga", atMs: world.clock.ms, action: "x", reason: "paid" };
  const decision = { status: "paid", proof: { objectKey, fileName: "proof.pdf" } } as const;
  return decideRequest(run, target, decision, operatorAudit(world.table, target.tenantId, change), isCurrent);
}

test("a request that is not as the operator knows it is not decided", async () => {
  const { target } = await requested();
  expect(await decide(target, () => false)).toEqual({ ok: false, failure: { kind: "stale" } });
  expect(await getRequest(run, target)).toMatchObject({ ok: true, value: { status: "submitted", hasProof: false } });
});

test("the proof of a payment is there once the request is paid", async () => {
  const { target } = await requested();
  expect(await readProof(run, target)).toEqual({
    ok: false,
    failure: { kind: "commission_state", reason: "The request is submitted, not paid", status: "submitted" },
  });
  expect(await decide(target)).toMatchObject({ ok: true, value: { status: "paid" } });
  const proof = await readProof(run, target);
  expect(proof).toMatchObject({ ok: true, value: { fileName: "proof.pdf" } });
  expect(proof.ok && Buffer.from(proof.value.bytes).toString()).toBe("%PDF-1.7 proof");
});
