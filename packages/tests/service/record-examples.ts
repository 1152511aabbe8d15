import { writeFileSync } from "node:fs";
import type { Route } from "@intents/contract/route.ts";
import { routes } from "@intents/contract/routes.ts";
import { type Belongings, bodyOf, newBelongings, pathOf, requestOf } from "./belongings.ts";
import { type Client, noRateLimit, type Options, openClient } from "./client.ts";
import { launchService } from "./service.ts";

// Records the examples of the published document: requests and answers of a service that runs here. `pnpm examples`
// does it, and writes the document with them.

const EXAMPLES = new URL("../../contract/src/openapi/recorded.json", import.meta.url);
const ofPaid = new Set(["getPaymentIntent", "getPaymentIntentTimeline"]);
/** An example shows so many elements of a long list. */
const SHOWN = 2;

type Recorded = Readonly<Record<string, unknown>>;

/** Records for the recordings: one of every kind, and an intent that is too incomplete for a submit. */
type Known = Belongings & Readonly<{ incomplete: string }>;

/** Asks every route of a service for an example. */
export async function recordExamples(client: Client): Promise<Readonly<Record<string, Recorded>>> {
  const owned = {
    ...(await newBelongings(client)),
    incomplete: (await client.newTuitionIntent({ recipients: [] })).id,
  };
  // An intent that was paid shows more of itself, and of what happened to it, than a draft does.
  const { id } = await client.newTuitionIntent();
  await client.submit(id, "example");
  const paid = { ...owned, intent: await client.waitForStatus(id, "completed") };
  await client.call("GET", pathOf(routes["getStudentDocumentContent"] as Route, owned));
  await waitForEvents(client);
  const recorded: Record<string, Recorded> = {};
  for (const [name, route] of Object.entries(routes)) {
    if ("data" in route.answers || "list" in route.answers)
      recorded[name] = await record(client, route, ofPaid.has(name) ? paid : owned);
  }
  return recorded;
}

/** Events are told some seconds after they happened. */
async function waitForEvents(client: Client): Promise<void> {
  const isEmpty = async () =>
    (await client.must<{ events: readonly unknown[] }>("GET", "/v2/events")).events.length < SHOWN;
  while (await isEmpty()) await new Promise((resolve) => setTimeout(resolve, 1_000));
}

/** A good request of a route and its answer, and how the route refuses others. */
async function record(client: Client, route: Route, known: Known): Promise<Recorded> {
  const [method = ""] = route.on.split(" ");
  const path = pathOf(route, known);
  const body = bodyOf(route, known);
  const good = requestOf(route, known);
  const asked: (readonly [string, Options])[] = [
    [path, good],
    ...(route.auth === "key" ? [[path, { key: null }] as const] : []),
    ...(route.body === undefined ? [] : [[path, { body: {} }] as const]),
    ...(named.test(route.on) ? [[pathOf(strange(route), known), good] as const] : []),
    ...(route.body === undefined && route.errors?.includes("requirements")
      ? [[path.replace(known.intent.id, known.incomplete), {}] as const]
      : []),
  ];
  const answers: Record<string, unknown> = {};
  for (const [at, options] of asked) {
    const answer = await client.call<unknown>(method, at, options);
    answers[answer.status] ??= shortened(answer.body);
  }
  return { ...(body !== undefined && { request: body }), ...answers };
}

const named = /\{(id|token|payeeId|connectorPaymentId)\}/;
/** The route with the id of nothing in its path. */
const strange = (route: Route): Route => ({ ...route, on: route.on.replace(named, "0") as Route["on"] });

/** A value whose long lists are cut. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, SHOWN).map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shortened(field)]));
}

async function main(): Promise<void> {
  const service = await launchService(noRateLimit);
  try {
    writeFileSync(EXAMPLES, `${JSON.stringify(await recordExamples(openClient(service.url)), null, 2)}\n`);
  } finally {
    await service.stop();
  }
}

if (import.meta.main) await main();
