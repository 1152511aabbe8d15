import { existsSync, readFileSync } from "node:fs";
import { nameCall } from "@intents/local/events/calls.ts";
import { askedOf, readPolicies } from "../service/granted.ts";
import { noteGrants } from "../service/used-grants.ts";
import type { Told } from "./calls.ts";

/** Notes the grants that the functions of an emulator have used, by the calls that they have told. */
export function noteCalls(file: string): void {
  const policies = readPolicies();
  const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  for (const line of lines) {
    const { by, path, headers, body, environment } = JSON.parse(line) as Told;
    const [, name = ""] = /payment-intents-[a-z]+-(.+)$/.exec(by) ?? [];
    const call = nameCall(path, headers, body === "" ? undefined : JSON.parse(body));
    const targets = call.targets.map((target) => inTests(target, environment));
    // The tests' own functions have no policy.
    if (policies[name] !== undefined) noteGrants(name, policies[name], askedOf({ ...call, targets }));
  }
}

/** A target by the names that stores have in the other tiers. */
function inTests(
  target: string,
  { TABLE_NAME, WINDOW_TABLE_NAME, RAIL_TABLE_NAME, WEBHOOK_QUEUE_URLS }: Told["environment"],
): string {
  const webhooks = (WEBHOOK_QUEUE_URLS?.split(" ") ?? []).map((url) => [url.split("/").at(-1), "webhooks"] as const);
  const names = [
    [TABLE_NAME, "payment-intents"],
    [WINDOW_TABLE_NAME, "windows"],
    [RAIL_TABLE_NAME, "sandbox-rail"],
    ...webhooks,
  ] as const;
  const [store = ""] = /^[\w-]+/.exec(target) ?? [];
  const name = names.find(([physical]) => physical === store)?.[1] ?? store;
  return name + target.slice(store.length);
}
