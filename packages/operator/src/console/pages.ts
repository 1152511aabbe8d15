import type { Assembled } from "@intents/console/assemble.ts";
import type { View } from "@intents/console/views.tsx";
import { commissionRequestStatuses } from "@intents/domain/commissions/request.ts";
import { intentStatuses } from "@intents/domain/intents/statuses.ts";
import { fileNameParameter } from "@intents/domain/parties/document.ts";
import { outcomeOf } from "../outcome.ts";
import { Refusal } from "../refusal.ts";
import { readBooks } from "./books.ts";
import { readIntent } from "./intent.ts";
import type { Means } from "./means.ts";
import { readPayments } from "./payments.ts";
import { type Query, readQuery } from "./query.ts";
import { readQueueView } from "./queue.ts";
import { readReconciliation } from "./reconciliation.ts";
import { readRequestFile, readRequests } from "./requests.ts";
import { readSearch } from "./search.ts";
import type { Answer, Respond } from "./server.ts";
import { readTodo } from "./todo.ts";

type PageRequest = Readonly<{ means: Means; tenantId: string; query: Query }>;

const pages: Readonly<Record<string, (asked: PageRequest) => Promise<View>>> = {
  books: async ({ means, tenantId, query }) => ({ of: "books", view: await readBooks(means, tenantId, daysOf(query)) }),
  intent: async ({ means, tenantId, query }) => ({ of: "intent", view: await readIntent(means, tenantId, query.id()) }),
  payments: async ({ means, tenantId, query }) => {
    const status = query.oneOf("status", intentStatuses);
    const asked = { days: daysOf(query), status, cursor: query.one("cursor") };
    return { of: "payments", view: await readPayments(means, tenantId, asked) };
  },
  queue: async ({ means }) => ({ of: "queue", view: await readQueueView(means) }),
  reconciliation: async ({ means, tenantId, query }) => {
    const isAll = query.one("all") === "yes";
    return { of: "reconciliation", view: await readReconciliation(means, tenantId, isAll) };
  },
  requests: async ({ means, tenantId, query }) => {
    const status = query.oneOf("status", commissionRequestStatuses);
    return { of: "requests", view: await readRequests(means, tenantId, { status, cursor: query.one("cursor") }) };
  },
  search: async ({ means, tenantId, query }) => {
    const asked = {
      what: query.one("what"),
      isEverywhere: query.one("everywhere") === "yes",
      after: query.one("after"),
    };
    return { of: "search", view: await readSearch(means, tenantId, { ...asked, days: daysOf(query, "30") }) };
  },
  todo: async ({ means, tenantId, query }) => {
    const isEverywhere = query.one("everywhere") === "yes";
    return { of: "todo", view: await readTodo(means, tenantId, isEverywhere) };
  },
};
const FIRST_PAGE = "payments";

/** How far a page looks back, in days. */
const daysOf = (query: Query, usual = "7"): number => Number(query.oneOf("days", ["1", "7", "30"]) ?? usual);

type Site = Readonly<{ means: Means; console: Assembled }>;

/** The console's pages and files, by their names. */
export const openPages =
  (site: Site): Respond =>
  async (name, parameters) => {
    const { console: assembled } = site;
    if (name === "page.css") return asset("text/css", assembled.style);
    if (name === "client.js") return asset("text/javascript", assembled.script);
    const query = readQuery(parameters);
    try {
      return name === "file" ? await respondFile(site, query) : await respondPage(site, name, query);
    } catch (error) {
      const text = outcomeOf(error).line ?? "";
      return respondView(site, 400, { of: "notice", view: { title: "This cannot be shown", text } });
    }
  };

async function respondPage(site: Site, name: string, query: Query): Promise<Answer> {
  const read = pages[name === "" ? FIRST_PAGE : name];
  if (read === undefined) throw new Refusal("There is no such page");
  const tenant = await site.means.tenant(query.one("tenant"));
  if (tenant === undefined) throw new Refusal("There is no tenant yet");
  const { tenantId } = tenant;
  return respondView(site, 200, await read({ means: site.means, tenantId, query }), tenantId);
}

function respondView({ means, console: assembled }: Site, status: number, view: View, tenantId?: string): Answer {
  const { stage } = means.session;
  const frame = {
    service: means.place,
    isProduction: stage === "production",
    tenants: means.tenants(),
    tenantId,
    readAt: new Date().toISOString(),
  };
  return {
    status,
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": pagePolicy },
    body: assembled.renderView(frame, view),
  };
}

async function respondFile({ means }: Site, query: Query): Promise<Answer> {
  const tenant = await means.tenant(query.id("tenant"));
  const { bytes, type, fileName } = await readRequestFile(
    means,
    tenant?.tenantId ?? "",
    query.id("request"),
    query.one("file") ?? "",
  );
  const disposition = `${type === undefined ? "attachment" : "inline"}; ${fileNameParameter(fileName)}`;
  return {
    status: 200,
    headers: {
      "content-type": type ?? "application/octet-stream",
      "content-disposition": disposition,
      "content-security-policy": filePolicy,
    },
    body: bytes,
  };
}

const asset = (type: string, body: string): Answer => ({
  status: 200,
  headers: { "content-type": `${type}; charset=utf-8` },
  body,
});

const policy = (...directives: readonly string[]): string =>
  ["default-src 'none'", ...directives, "base-uri 'none'", "frame-ancestors 'none'"].join("; ");

/** A page loads its own script, style and icon, sends its forms to the console, and can do nothing else. */
const pagePolicy = policy("script-src 'self'", "style-src 'self'", "img-src data:", "form-action 'self'");
/** Browsers show a PDF by a viewer of their own, which is an object with a style. */
const filePolicy = policy("object-src 'self'", "img-src 'self'", "style-src 'unsafe-inline'", "form-action 'none'");
