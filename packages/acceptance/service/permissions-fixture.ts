import http, { type ClientRequest, type IncomingHttpHeaders } from "node:http";
import { getCallSites } from "node:util";
import { isAllowed } from "@intents/infra/judge-fixture.ts";
import { nameCall } from "@intents/local/events/calls.ts";
import { askedOf, readPolicies } from "./granted.ts";
import { noteGrants } from "./used-grants.ts";

// A service loads this file before its own modules: each call of a function to a store is judged by the policy with
// which the function would be deployed, and one that IAM would deny never reaches the store.
const policies = readPolicies();
const FRAMES_MAX = 100;

/** The function whose bundle is asking, if one is: the SDK that asks is a part of the bundle. */
function askingFunction(): string | undefined {
  const sites = getCallSites(FRAMES_MAX, { sourceMap: false });
  return sites.flatMap(({ scriptName }) => /\/dist\/([\w-]+)\/[\w-]+\.cjs$/.exec(scriptName)?.[1] ?? [])[0];
}

/** Why IAM would deny a request. */
function denialOf(name: string, request: ClientRequest, body: string): string | undefined {
  const call = nameCall(request.path, request.getHeaders() as IncomingHttpHeaders, parse(body));
  const policy = policies[name] ?? [];
  const asked = askedOf(call);
  const denied = asked.find((call) => !isAllowed(policy, call));
  if (denied === undefined) noteGrants(name, policy, asked);
  return denied && `${name} is not authorized: ${JSON.stringify(denied)}`;
}

/** Whether IAM judges a request: it goes to a store, and not to a receiver of webhooks. */
function isToStore(request: ClientRequest): boolean {
  const host = String(request.getHeader("host"));
  // The service sets the addresses of its stores after its own first requests.
  if (!hosts.has(host)) hosts = storeHosts();
  return hosts.has(host);
}

const storeHosts = (): ReadonlySet<string> =>
  new Set(
    Object.entries(process.env).flatMap(([setting, value = ""]) =>
      setting.startsWith("AWS_ENDPOINT_URL_") ? [new URL(value).host] : [],
    ),
  );
let hosts: ReadonlySet<string> = new Set();

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const { request: send } = http;
http.request = ((...args: Parameters<typeof send>) => {
  const request = send(...args);
  const name = isToStore(request) ? askingFunction() : undefined;
  if (name === undefined) return request;
  const end = request.end.bind(request) as (...given: unknown[]) => ClientRequest;
  request.end = ((...given: unknown[]) => {
    const denial = denialOf(name, request, typeof given[0] === "function" ? "" : String(given[0] ?? ""));
    if (denial === undefined) return end(...given);
    process.stderr.write(`${denial}\n`);
    return request.destroy(new Error(denial));
  }) as typeof request.end;
  return request;
}) as typeof send;
