import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { Subject } from "@intents/domain/privacy/subject.ts";
import { isSought } from "@intents/domain/search/match.ts";
import type { FoundPayments, PaymentRow } from "@intents/domain/search/payment-row.ts";
import type { Criterion, KeyQuestion, Question } from "@intents/domain/search/question.ts";
import { findByExternalId } from "@intents/storage/intents/external-ids.ts";
import { findIntents } from "@intents/storage/intents/intents.ts";
import { findPaymentOwner } from "@intents/storage/intents/submissions.ts";
import { findLink } from "@intents/storage/links/links.ts";
import { readNewest } from "@intents/storage/lists/newest.ts";
import { mapInTurns } from "@intents/storage/table/in-turns.ts";
import type { IntentKey } from "@intents/storage/table/keys.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { findFormer, findParties, subjectOf } from "../subjects/find.ts";
import { describePayments, openPayees } from "./describe.ts";

/** Where payments are looked for. */
export type SearchScope = Readonly<{
  tenantIds: readonly string[];
  /** Older payments are not looked at where no key leads to them; milliseconds since 1970. */
  sinceMs: number;
  /** The payment behind which an earlier search has stopped. */
  after?: string | undefined;
  /** The number of payments wanted. */
  limit: number;
  /** Where no key leads to a payment, so many are looked at, 20,000 by default, and so many of the tenants, by default all. */
  lookedMax?: number;
  tenantsMax?: number;
}>;

const LOOKED_MAX = 20_000;
const TENANTS_AT_ONCE = 25;

/**
 * The payments that a question is about. Ids lead to a payment by keys, the tenant's own ids included. Amounts, people,
 * payees and references stand in no index: for them the newest payments are looked at one by one, as many as a search may
 * look at. Nothing is written.
 */
export async function findPayments(
  table: Table,
  { key, externalId, criterion }: Question,
  scope: SearchScope,
): Promise<FoundPayments> {
  const found = key === undefined ? [] : await findByKey(table, key, scope.tenantIds);
  if (found.length > 0) return { rows: await describe(table, found), by: "key", looked: 0, tenantsLeft: 0 };
  const named = externalId === undefined ? undefined : await findNamed(table, externalId, scope);
  return named ?? lookFor(table, criterion, scope);
}

/** The payments that a tenant knows by an id of its own; undefined where there are none. */
async function findNamed(
  table: Table,
  externalId: string,
  { tenantIds: all, after, limit, tenantsMax = all.length }: SearchScope,
): Promise<FoundPayments | undefined> {
  const tenantIds = all.slice(0, tenantsMax);
  const keys = await mapInTurns(tenantIds, TENANTS_AT_ONCE, (tenantId) =>
    findByExternalId(table, { tenantId, externalId }, { before: after, limit: limit + 1 }),
  );
  const newestFirst = keys.flat().toSorted((one, other) => (one.id < other.id ? 1 : -1));
  const shown = newestFirst.slice(0, limit);
  const found = (await findIntents(table, shown)).toSorted((one, other) => (one.id < other.id ? 1 : -1));
  if (found.length === 0) return undefined;
  const last = newestFirst.length > limit ? shown.at(-1) : undefined;
  return {
    rows: await describe(table, found),
    by: "key",
    looked: 0,
    tenantsLeft: all.length - tenantIds.length,
    ...(last !== undefined && { after: last.id }),
  };
}

async function findByKey(table: Table, key: KeyQuestion, tenantIds: readonly string[]): Promise<PaymentIntent[]> {
  const owners = await ownersOf(table, key, tenantIds);
  return findIntents(
    table,
    owners.filter(({ tenantId }) => tenantIds.includes(tenantId)),
  );
}

/** The only intents that a key can lead to. */
async function ownersOf(table: Table, key: KeyQuestion, tenantIds: readonly string[]): Promise<IntentKey[]> {
  switch (key.by) {
    case "intent":
      return tenantIds.map((tenantId) => ({ tenantId, id: key.id }));
    case "payment": {
      const owner = await findPaymentOwner(table, key.paymentId);
      return owner === undefined ? [] : [{ tenantId: owner.tenantId, id: owner.intentId }];
    }
    case "link": {
      const link = await findLink(table, key.token);
      return link === undefined ? [] : [{ tenantId: link.tenantId, id: link.intentId }];
    }
  }
}

async function lookFor(
  table: Table,
  criterion: Criterion,
  { tenantIds: all, sinceMs, after, limit, lookedMax = LOOKED_MAX, tenantsMax = all.length }: SearchScope,
): Promise<FoundPayments> {
  const tenantIds = all.slice(0, tenantsMax);
  const tenantsLeft = all.length - tenantIds.length;
  const subjects = await subjectsOf(table, criterion, tenantIds);
  const payees = openPayees(table);
  const found: PaymentIntent[] = [];
  let looked = 0;
  for await (const page of readNewest(table, tenantIds, { sinceMs, before: after })) {
    const known = await payees.of(page);
    for (const intent of page) {
      looked += 1;
      if (isSought(intent, criterion, { payees: known, subject: subjects.get(intent.tenantId) })) found.push(intent);
      if (found.length < limit && looked < lookedMax) continue;
      return { rows: await describe(table, found), by: "look", looked, tenantsLeft, after: intent.id };
    }
  }
  return { rows: await describe(table, found), by: "look", looked, tenantsLeft };
}

/** The person with an e-mail, as each tenant knows the person: by its saved parties, which an index finds. */
async function subjectsOf(
  table: Table,
  criterion: Criterion,
  tenantIds: readonly string[],
): Promise<ReadonlyMap<string, Subject>> {
  if (criterion.by !== "email") return new Map();
  const { email } = criterion;
  const subjects = await mapInTurns(tenantIds, TENANTS_AT_ONCE, async (tenantId) => {
    const asked = { tenantId, email };
    const [parties, former] = await Promise.all([findParties(table, asked), findFormer(table, asked)]);
    return [tenantId, subjectOf(asked, parties, former)] as const;
  });
  return new Map(subjects);
}

const describe = (table: Table, found: readonly PaymentIntent[]): Promise<PaymentRow[]> =>
  describePayments(
    table,
    found.map((payment) => ({ tenantId: payment.tenantId, payment })),
  );
