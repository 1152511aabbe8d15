import type { KeyName } from "@intents/storage/table/key-kinds.ts";

/** Uses that stand in the code of some functions, which never make them, and the reason. */
type Withheld = Readonly<{
  why: string;
  functions: readonly string[];
  /** Names of keys at which they do nothing. */
  keys?: readonly KeyName[];
  /** A target, and the IAM actions that they do not do there. */
  actions?: readonly [target: string, ...string[]];
}>;

const ALL_LISTS = "the plan of a list is one for all kinds of records, and theirs have no such index (lists/scope.ts)";
const GATE = "the gate before every handler is one: keys and suspensions are looked up for changes by tenants alone";
const RAIL = "a simulated rail is one object, with all that a rail does";

export const withheld: readonly Withheld[] = [
  { why: ALL_LISTS, functions: ["commissions"], keys: ["requestsAtWork"] },
  {
    why: ALL_LISTS,
    functions: ["commissions", "payees"],
    keys: ["facet", "children", "byEmail", "ofExternalId"],
    actions: ["main/index/byChange", "dynamodb:Query"],
  },
  { why: ALL_LISTS, functions: ["parties"], keys: ["facet", "children"] },
  { why: ALL_LISTS, functions: ["payment-intents"], keys: ["byEmail"] },
  { why: "it sets timers, and finds none", functions: ["deliver-webhooks"], keys: ["dueShard"] },
  {
    why: "it restores a payment's timer, watch and place in a list, and tells webhooks of none of them",
    functions: ["daily"],
    keys: ["webhook"],
    actions: ["webhooks", "sqs:SendMessage"],
  },
  {
    why: "it ends recipients whom no rail took, and the ledger has no entries of them",
    functions: ["sandbox-testing"],
    keys: ["ledger"],
  },
  { why: GATE, functions: ["lookup", "openapi", "sandbox-rail"], keys: ["apiKeyKey", "suspension"] },
  { why: GATE, functions: ["payer-page", "payment-links"], keys: ["apiKeyKey"] },
  { why: GATE, functions: ["reserved"], keys: ["suspension"] },
  {
    why: RAIL,
    functions: ["daily"],
    actions: [
      "rail",
      ...["dynamodb:BatchGetItem", "dynamodb:ConditionCheckItem", "dynamodb:DeleteItem", "dynamodb:GetItem"],
      ...["dynamodb:PutItem", "dynamodb:Query", "dynamodb:UpdateItem"],
    ],
  },
  { why: "it takes the ids of tenants from the keys of their register", functions: ["daily"], keys: ["tenant"] },
  { why: "payments by a link hold their payers' uploads alone", functions: ["payment-links"], keys: ["heldDocument"] },
  { why: RAIL, functions: ["advance-intent", "payment-intents", "payment-links"], actions: ["rail", "dynamodb:Scan"] },
  {
    why: RAIL,
    functions: ["sandbox-rail", "sandbox-testing"],
    actions: ["rail", "dynamodb:PutItem", "dynamodb:Scan"],
  },
];
