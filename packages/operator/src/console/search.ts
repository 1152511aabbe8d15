import { linkTo } from "@intents/console/frame.ts";
import type { SearchView } from "@intents/console/search.tsx";
import { DAY_MS } from "@intents/domain/durations.ts";
import { readQuestion } from "@intents/domain/search/question.ts";
import { findPayments } from "@intents/execution/search/find.ts";
import { Refusal } from "../refusal.ts";
import type { Means } from "./means.ts";

const FOUND_MAX = 50;
/** A page looks at so many payments, of so many tenants, where no key leads to one: `operator find` looks at more. */
const LOOKED_MAX = 10_000;
const TENANTS_MAX = 200;

type SearchQuery = Readonly<{
  what: string | undefined;
  isEverywhere: boolean;
  days: number;
  after: string | undefined;
}>;

/** Runs `operator find` for one tenant or all. */
export async function readSearch(means: Means, tenantId: string, asked: SearchQuery): Promise<SearchView> {
  const { what, isEverywhere, days, after } = asked;
  const form = { what: what ?? "", isEverywhere, days };
  if (what === undefined) return form;
  const question = readQuestion(what);
  if (!question.ok) return { ...form, problem: question.failure };
  const found = await findPayments(means.session.table, question.value, {
    tenantIds: isEverywhere ? means.tenants().map((tenant) => tenant.tenantId) : [tenantId],
    sinceMs: Date.now() - days * DAY_MS,
    after: readAfter(after),
    limit: FOUND_MAX,
    lookedMax: LOOKED_MAX,
    tenantsMax: TENANTS_MAX,
  });
  const everywhere = isEverywhere ? "yes" : undefined;
  const next = { tenant: tenantId, what, everywhere, days, after: found.after };
  return { ...form, found, ...(found.after !== undefined && { older: linkTo("search", next) }) };
}

function readAfter(id: string | undefined): string | undefined {
  if (id !== undefined && !/^[\da-f]{24}$/.test(id)) throw new Refusal("after is not the id of a payment");
  return id;
}
