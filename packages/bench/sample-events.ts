import type { Route } from "@intents/contract/route.ts";
import { routes } from "@intents/contract/routes.ts";
import { listenHere } from "@intents/local/free-port.ts";
import { createGateway } from "@intents/local/gateway/gateway.ts";
import { KEY } from "./plan.ts";

const demo = {
  principalId: "demo",
  policyDocument: { Statement: [{ Effect: "Allow", Resource: "*" }] },
  context: { tenantId: "1001", userId: "demo-user", clientId: "demo", permissions: "" },
};

/** An event for every function, as the gateway makes it: a read where there is one, of a record that does not exist. */
export async function recordEvents(functions: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  // Functions of the queue and the schedule get an event without work.
  const events: Record<string, unknown> = Object.fromEntries(functions.map((name) => [name, { Records: [] }]));
  const invoke = async (name: string, event: unknown) => {
    events[name] = event;
    return name === "authorizer" ? demo : { statusCode: 200, body: "" };
  };
  const { server, finish } = createGateway({ routes, functions: { invoke }, report: () => undefined });
  const url = await listenHere(server);
  const ask = (method: string, path: string) => fetch(url + path, { method, headers: { "X-API-Key": KEY } });
  await ask("GET", "/nowhere");
  for (const { on } of readsLast(Object.values(routes))) {
    const [method = "GET", path = ""] = on.split(" ");
    await ask(method, path.replaceAll(/\{\w+\}/g, "0".repeat(24)));
  }
  await finish(0);
  return events;
}

/** Sorts reads to the end, because the last event of a function is the one that is kept. */
const readsLast = (all: readonly Route[]): Route[] =>
  all.toSorted((one, other) => Number(isRead(one)) - Number(isRead(other)));
/** Whether a route is a read behind a key; public ones allow so few calls a minute that most would be refused. */
const isRead = ({ on, auth }: Route): boolean => on.startsWith("GET ") && auth === "key";
