import { referenceRates } from "@intents/domain/amounts/exchange-rates.ts";
import { addAmounts, compareAmounts } from "@intents/domain/amounts/money.ts";
import type { Quote, QuoteVariant } from "@intents/domain/quotes/quote.ts";
import { fail } from "@intents/domain/result.ts";
import type { Recipient } from "@intents/domain/scenarios/draft.ts";
import { readMonth } from "@intents/storage/commissions/commissions.ts";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import { listLedger } from "@intents/storage/intents/ledger.ts";
import { findQuote, replaceQuote } from "@intents/storage/intents/quotes.ts";
import { getTenant, replaceTenant } from "@intents/storage/parties/tenants.ts";
import { readAll } from "@intents/storage/test/table-fixture.ts";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { startWorld } from "../../test/execution-fixture.ts";
import { overtaken } from "../../test/fault-fixture.ts";
import { change } from "../change.ts";
import { compileIntent } from "../drafts/compile.ts";
import { tryIntent } from "../drafts/dry-run.ts";
import type { Run } from "../run.ts";
import type { HashedPreview } from "./preview.ts";
import { submitIntent } from "./submit.ts";

const world = await startWorld();
afterAll(world.stop);
afterEach(() => {
  vi.restoreAllMocks();
});

async function preview(id: string, as: Run = world.run): Promise<HashedPreview> {
  const tried = await tryIntent(as, world.caller, id);
  if (!tried.ok || tried.value.preview === undefined) throw new Error(`${id} has no preview: ${JSON.stringify(tried)}`);
  return tried.value.preview;
}

const submitHeld = (intentId: string, previewHash: string, keyHash = `key ${intentId}`, as: Run = world.run) =>
  submitIntent(as, { caller: world.caller, intentId, previewHash, keyHash });

/** A payment of a student to a school, of which the tenant gets a part. */
const newSplit = async () => {
  const leg = async (payerAmount: string, portionBps: number) => ({
    amount: { payerAmount, portionBps },
    purposeProofDocumentId: await world.newDocument(),
  });
  return world.newDraft({
    useCase: "education_provider_tuition_with_tenant_split",
    recipients: [
      { role: "education_provider", connectorPayeeId: 5001, ...(await leg(`${4000 + ++splits}.00`, 9000)) },
      { role: "tenant", connectorPayeeId: 1001, splitRole: "tenant_service_fee", ...(await leg("500.00", 1000)) },
    ],
  });
};
let splits = 0;

/** A payroll in which the tenant pays its own company too. */
const newPayroll = () =>
  world.newBatch(
    4,
    [],
    [{ role: "public_payee", connectorPayeeId: 1001, amount: { payeeAmount: `${++splits}.50`, currency: "AUD" } }],
  );

const kinds = {
  payment: () => world.newDraft({ payeeIds: [5001, 5002], reference: "term 1" }),
  "payment from a country with a rail of its own": () => world.newDraft({ from: "NO" }),
  split: newSplit,
  batch: newPayroll,
};

describe.each(Object.entries(kinds))("the preview of a %s", (_, make) => {
  test("is what its rail is sent, its legs show and its ledger books", async () => {
    const { id } = await make();
    const shown = await preview(id);
    expect(await submitHeld(id, shown.hash)).toMatchObject({ ok: true, value: { replayed: false } });
    while ((await world.timerOf(id)) !== undefined) await world.tick(id);
    const intent = await world.get(id);
    expect(intent.status).toBe("completed");

    const [execution] = intent.executions;
    const batchLegs = await listLegs(world.table, intent);
    const booked = batchLegs.length === 0 ? execution?.legs : batchLegs.flatMap(({ payment }) => payment.legs);
    const sides = ({ order, payeeId, payerAmount, payeeAmount, payeeCurrency }: HashedPreview["legs"][number]) => ({
      order,
      payeeId,
      payerAmount,
      payeeAmount,
      payeeCurrency,
    });
    expect(shown.legs.map(sides)).toEqual((booked as HashedPreview["legs"]).map(sides));
    const sent = (await world.paymentsOf(id)).map(({ currency, totalAmount: amount }) => ({ currency, amount }));
    expect(totalsOf(sent)).toEqual(shown.debited);

    const entries = await listLedger(world.table, intent);
    const amountsOf = (is: (entry: (typeof entries)[number]) => boolean) =>
      totalsOf(entries.filter(is).map(({ currency, amount }) => ({ currency, amount })));
    expect(amountsOf(({ event }) => event === "accepted")).toEqual(shown.debited);
    expect(amountsOf(({ event }) => event === "settled")).toEqual(shown.debited);
    expect(amountsOf(({ credit }) => credit === "settled:fee")).toEqual(shown.charged);
    const received = (booked ?? []).map((leg) => ({
      currency: leg.payeeCurrency ?? "",
      amount: leg.payeeAmount ?? "",
    }));
    expect(totalsOf(received)).toEqual(shown.delivered);

    const month = new Date(world.clock.ms).toISOString().slice(0, "yyyy-MM".length);
    const earned = (await readAll(readMonth(world.table, "1001", month))).find(
      ({ paymentId }) => paymentId === intent.lastConnectorPaymentId,
    );
    const { commissionCurrency: currency, commissionAmount: amount, commissionSpread } = earned ?? {};
    expect(earned && { currency, amount, spread: String(commissionSpread) }).toEqual(shown.commission);
  });

  test("is the same for every reader, and for a draft that was compiled", async () => {
    const { id } = await make();
    const [first, second] = [await preview(id), await preview(id)];
    expect(second).toEqual(first);
    expect(await compileIntent(world.run, world.caller, id)).toMatchObject({ ok: true, value: { preview: first } });
    expect(await preview(id)).toEqual(first);
  });

  test("is kept to by the one of eight submits at once that pays", async () => {
    const { id } = await make();
    const { hash } = await preview(id);
    const outcomes = await Promise.all(Array.from({ length: 8 }, (_, index) => submitHeld(id, hash, `key ${index}`)));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    const kindsOf = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.failure.kind]));
    expect(kindsOf.filter((kind) => kind !== "in_flight" && kind !== "wrong_status")).toEqual([]);
    expect((await world.get(id)).executions).toHaveLength(1);
  });
});

test("equal drafts have one hash", async () => {
  const [first, second] = [await world.newLink(), await world.newLink()];
  expect((await preview(second.id)).hash).toBe((await preview(first.id)).hash);
});

test("the preview of a link is published as it was shown", async () => {
  const { id } = await world.newLink();
  const shown = await preview(id);
  expect(shown).toMatchObject({ debited: [], charged: [], delivered: [{ currency: "AUD", amount: "100.00" }] });
  expect(await submitHeld(id, "0".repeat(64))).toMatchObject({ ok: false, failure: { kind: "preview_changed" } });
  expect((await world.get(id)).status).toBe("draft");
  expect(await submitHeld(id, shown.hash)).toMatchObject({ ok: true });
});

test("an intent that lacks something, or is no draft any more, has no preview", async () => {
  const { id } = await world.newDraft({ recipients: [{ role: "education_provider", connectorPayeeId: 5001 }] });
  const lacking = await tryIntent(world.run, world.caller, id);
  expect(lacking).toMatchObject({ value: { rule: { missingRequirements: ["recipients.0.amount.payerAmount"] } } });
  const paid = await world.newDraft();
  await world.submit(paid.id);
  const gated = await world.newBatch(1);
  const plain = { ...world.caller, permissions: [] };
  for (const tried of [
    lacking,
    await tryIntent(world.run, world.caller, paid.id),
    await tryIntent(world.run, plain, gated.id),
  ]) {
    expect(tried.ok && tried.value).not.toHaveProperty("preview");
  }
});

/** Changes something else than the draft, or the draft itself, which no caller can do. */
type Changing = Readonly<{
  make: () => Promise<{ id: string }>;
  so?: (id: string) => Promise<void>;
  /** The run of whoever comes later. */
  as?: () => Run;
}>;

const withQuote =
  (changed: (quote: Quote) => Partial<Quote>) =>
  async (id: string): Promise<void> => {
    const quoteId = (await world.get(id)).instructions?.manualPayment?.quoteId ?? "";
    const quote = await findQuote(world.table, "1001", quoteId);
    if (quote === undefined) throw new Error(`${id} has no quote`);
    expect(await replaceQuote(world.table, "1001", quote, { ...quote, ...changed(quote) })).toBe(true);
  };
const withVariants = (changes: Partial<QuoteVariant>) =>
  withQuote(({ variants: [first, ...others] }) => ({ variants: [{ ...first, ...changes }, ...others] }));

const withRecipients =
  (changed: (recipients: readonly Recipient[]) => readonly Recipient[]) =>
  async (id: string): Promise<void> => {
    const before = await world.get(id);
    const after = { ...before, recipients: changed(before.recipients) };
    expect(await change(world.run, { before, after, events: [] })).toMatchObject({ done: true });
  };

async function renameTenant(): Promise<void> {
  const tenant = await getTenant(world.table, "1001");
  const operator = { operator: "olga", atMs: world.clock.ms, action: "tenants.set", reason: "a new name" };
  await replaceTenant(world.table, tenant, { ...tenant, name: `${tenant.name} Ltd` }, operator);
}

async function moveRates(): Promise<void> {
  const { marketRate } = referenceRates;
  vi.spyOn(referenceRates, "marketRate").mockImplementation((from, to) =>
    from === "AUD" && to === "CAD" ? "0.9" : marketRate(from, to),
  );
}

const another: Run["rails"][number]["describe"] = () => ({
  ...{ provider: "another", action: "manual_payment", version: "1.0.0", maxRecipients: 10, acceptedLimitations: [] },
});

const changes: Readonly<Record<string, Changing>> = {
  "a payee of a split was renamed": { make: newSplit, so: renameTenant },
  "a payee of a batch was renamed": { make: newPayroll, so: renameTenant },
  "the quote's rate has moved": { make: kinds.payment, so: withVariants({ fxRate: "0.24" }) },
  "the rate of a batch has moved": { make: newPayroll, so: moveRates },
  "the spread has changed": { make: kinds.payment, so: withVariants({ spread: "0.01" }) },
  "the fee has changed": { make: kinds.payment, so: withVariants({ fee: "21.00" }) },
  "the way to pay has changed": { make: kinds.payment, so: withVariants({ settlementChannel: "checkout" }) },
  "the terms of the commission have changed": { make: newSplit, so: withQuote(() => ({ commissionSpread: "0.02" })) },
  "the quote holds for another time": {
    make: kinds.payment,
    so: withQuote(({ expiresOn }) => ({ expiresOn: new Date(Date.parse(expiresOn) + 1).toISOString() })),
  },
  "an amount has changed": {
    make: newSplit,
    so: withRecipients(([school, ...others]) => [
      { ...school, amount: { ...school?.amount, payerAmount: "4999.99" } },
      ...others,
    ]),
  },
  "the order has changed": {
    make: newSplit,
    so: withRecipients((recipients) => recipients.map((one, index) => ({ ...one, order: 9 - index }))),
  },
  "a reference has changed": {
    make: newPayroll,
    so: withRecipients(([first, ...others]) => [{ ...first, reference: "other" }, ...others]),
  },
  "the rail has changed": { make: kinds.payment, as: () => world.withRail({ describe: another }) },
};

test.each(Object.entries(changes))(
  "when %s, a submit by the old preview is refused and does nothing, and by the new one pays",
  async (_, { make, so, as: later = () => world.run }) => {
    const { id } = await make();
    const { hash } = await preview(id);
    await so?.(id);
    const as = later();
    const before = await world.get(id);
    const { hash: newHash } = await preview(id, as);
    expect(newHash).not.toBe(hash);
    const refused = fail({ kind: "preview_changed", status: "draft", previewHash: newHash });
    expect(await submitHeld(id, hash, "one key", as)).toEqual(refused);
    expect(await world.get(id)).toEqual(before);
    expect((await world.documentOf(before)) ?? {}).not.toHaveProperty("executionId");
    expect(await world.paymentsOf(id)).toEqual([]);
    expect(await submitHeld(id, newHash, "one key", as)).toMatchObject({ ok: true, value: { replayed: false } });
  },
);

test("a draft that changes between the comparison and the claim is compared again, and not paid", async () => {
  const { id } = await newSplit();
  const { hash } = await preview(id);
  const so = withRecipients((recipients) => recipients.map((one, index) => ({ ...one, order: 9 - index })));
  const late = await submitHeld(
    id,
    hash,
    "key",
    overtaken(world.run, () => so(id)),
  );
  expect(late).toMatchObject({ ok: false, failure: { kind: "preview_changed" } });
  expect(await world.paymentsOf(id)).toEqual([]);
});

test("an expired quote is refused as such, whatever the preview", async () => {
  const { id } = await world.newDraft();
  const { hash, validUntil = "" } = await preview(id);
  world.clock.ms = Date.parse(validUntil);
  expect((await preview(id)).hash).toBe(hash);
  for (const sent of [hash, "0".repeat(64)]) {
    expect(await submitHeld(id, sent)).toMatchObject({ ok: false, failure: { kind: "quote_expired" } });
  }
});

test("a submit that was carried out is answered to its key whatever preview a repeat names", async () => {
  const { id } = await world.newDraft();
  const { hash } = await preview(id);
  const first = await submitHeld(id, hash);
  const again = { ok: true, value: { body: first.ok && first.value.body, replayed: true } };
  expect(await submitHeld(id, "0".repeat(64))).toEqual(again);
  expect(await world.submit(id, `key ${id}`)).toEqual(again);
  expect(await world.paymentsOf(id)).toHaveLength(1);
});

type Money = Readonly<{ currency: string; amount: string }>;

/** The sums by currency, with the decimals of the amounts. */
function totalsOf(amounts: readonly Money[]): Money[] {
  const byCurrency = Map.groupBy(amounts, ({ currency }) => currency);
  const totals = [...byCurrency].map(([currency, parts]) => ({
    currency,
    amount: addAmounts(...parts.map(({ amount }) => amount)),
  }));
  expect(totals.every(({ amount }) => compareAmounts(amount, "0") > 0)).toBe(true);
  return totals.toSorted((left, right) => (left.currency < right.currency ? -1 : 1));
}
