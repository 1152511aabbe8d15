import { needFor } from "@intents/infra/function-uses.ts";
import type { StoreCall } from "@intents/local/events/calls.ts";

const tables: Readonly<Record<string, string>> = {
  "payment-intents": "main",
  windows: "windows",
  "sandbox-rail": "rail",
};

/**
 * The permissions that IAM would have asked for a recorded call of DynamoDB, each as `action target`: a transaction
 * needs one for each of its writes.
 */
export function askedOf({ store, command, targets }: StoreCall): string[] {
  if (store !== "DynamoDB") return [];
  return targets.flatMap((target) => {
    const [, table = "", index, write] = /^([\w-]+)(?:\.(\w+))? .*?(?: \((\w+)\))?$/s.exec(target) ?? [];
    const on = [tables[table], ...(index === undefined ? [] : ["index", index])].join("/");
    return needFor(write ?? command).actions.map((action) => `${action} ${on}`);
  });
}
