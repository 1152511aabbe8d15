import type { ClientRequest } from "node:http";
import { getCallSites } from "node:util";
import { judgeRequests } from "./judged-requests.ts";

// A service loads this file before its own modules: each call of a function to a store is judged by the policy with
// which the function would be deployed, and one that IAM would deny never reaches the store.
/** The SDK sends the request itself, so that a frame of its bundle stands among the nearest ones. */
const FRAMES_MAX = 10;

/** The function whose bundles are asking, if one is: the SDK that asks is a part of them. */
function askingFunction(): string | undefined {
  const sites = getCallSites(FRAMES_MAX, { sourceMap: false });
  return sites.flatMap(({ scriptName }) => /\/dist\/([\w-]+)\/[\w-]+\.cjs$/.exec(scriptName)?.[1] ?? [])[0];
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

judgeRequests((request) => (isToStore(request) ? askingFunction() : undefined));
