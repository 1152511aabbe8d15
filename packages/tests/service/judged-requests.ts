import http, { type ClientRequest, type IncomingHttpHeaders } from "node:http";
import { isAllowed } from "@intents/infra/judge-fixture.ts";
import { nameCall } from "@intents/local/events/calls.ts";
import { askedOf, readPolicies } from "./granted.ts";
import { noteGrants } from "./used-grants.ts";

const policies = readPolicies();
/** Denied requests of this process. */
export const denials: string[] = [];

/**
 * From now on each request to a store is judged by the policy of the function that makes it, whose name `nameOf` tells;
 * one that IAM would deny never reaches the store.
 */
export function judgeRequests(nameOf: (request: ClientRequest) => string | undefined): void {
  const { request: send } = http;
  http.request = ((...args: Parameters<typeof send>) => {
    const request = send(...args);
    const name = nameOf(request);
    if (name === undefined) return request;
    const end = request.end.bind(request) as (...given: unknown[]) => ClientRequest;
    request.end = ((...given: unknown[]) => {
      const denial = denialOf(name, request, typeof given[0] === "function" ? "" : String(given[0] ?? ""));
      if (denial === undefined) return end(...given);
      denials.push(denial);
      process.stderr.write(`${denial}\n`);
      return request.destroy(new Error(denial));
    }) as typeof request.end;
    return request;
  }) as typeof send;
}

/** Why IAM would deny a request. */
function denialOf(name: string, request: ClientRequest, body: string): string | undefined {
  const call = nameCall(request.path, request.getHeaders() as IncomingHttpHeaders, parse(body));
  const policy = policies[name] ?? [];
  const asked = askedOf(call);
  const denied = asked.find((call) => !isAllowed(policy, call));
  if (denied === undefined) noteGrants(name, asked);
  return denied && `${name} is not authorized: ${JSON.stringify(denied)}`;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
