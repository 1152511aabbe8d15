import { describe, expect, test } from "vitest";
import { findFunctionUses, usesIn } from "./function-uses.ts";

const module = (path: string, code: string) => `// ${path}\n${code}\n`;
const grantsIn = (bundle: string) => Object.fromEntries(usesIn(bundle).grants);

describe("a bundle's grants", () => {
  test("are the commands it sends, by the module that sends them", () => {
    const bundle =
      module("packages/storage/src/tenants.ts", "db.send(new GetCommand3({ Key }));") +
      module("packages/storage/src/windows.ts", "db.send(new UpdateCommand({ Key }));") +
      module("packages/connectors/src/sandbox-store.ts", "db.send(new QueryCommand2({ IndexName: name }));") +
      module(
        "node_modules/.pnpm/x/node_modules/@aws-lambda-powertools/idempotency/lib/a.js",
        "new PutItemCommand({})",
      ) +
      module("packages/storage/src/files.ts", "client.send(new CopyObjectCommand({ Key }));") +
      module("packages/storage/src/queue.ts", "client.send(new SendMessageBatchCommand({ Entries }));");
    expect(grantsIn(bundle)).toEqual({
      documents: ["s3:GetObject", "s3:PutObject"],
      main: ["dynamodb:GetItem", "dynamodb:PutItem"],
      queue: ["sqs:SendMessage"],
      rail: ["dynamodb:Query"],
      windows: ["dynamodb:UpdateItem"],
    });
  });

  test("of a transaction are the writes that it may consist of", () => {
    const bundle =
      module("packages/storage/src/transact.ts", "db.send(new TransactWriteCommand({ TransactItems }));") +
      module("packages/storage/src/timers.ts", "const a = [{ write: { Put: { Item } } }, { Delete: { Key } }];");
    expect(grantsIn(bundle)).toEqual({ main: ["dynamodb:DeleteItem", "dynamodb:PutItem"] });
  });

  test("of a query are the indexes it names, and the table only where it names none", () => {
    const lists = module("packages/storage/src/lists.ts", `db.send(new QueryCommand({ IndexName: "byOwner" }));`);
    const counters = module("packages/storage/src/counters.ts", "db.send(new QueryCommand({ TableName }));");
    expect(grantsIn(lists)).toEqual({ "main/index/byOwner": ["dynamodb:Query"] });
    expect(grantsIn(lists + counters)).toEqual({ "main/index/byOwner": ["dynamodb:Query"], main: ["dynamodb:Query"] });
  });

  test.each([
    [
      "a command without a known action",
      module("packages/storage/src/lists.ts", "db.send(new BatchWriteCommand({}));"),
    ],
    ["a command sent from an unknown place", module("functions/rates.ts", "db.send(new GetCommand({}));")],
  ])("are refused for %s", (_, bundle) => {
    expect(() => usesIn(bundle)).toThrow("whose grant is not known");
  });
});

test("what the service's functions may do to the main table is known for each of them", async () => {
  const uses = await findFunctionUses();
  const main = (name: string) => uses.get(name)?.grants.get("main") ?? [];
  expect(main("fallback")).toEqual([]);
  expect(main("dispatch-due")).toEqual([]);
  for (const name of ["authorizer", "lookup", "reserved"]) expect(main(name)).toEqual(["dynamodb:GetItem"]);
  // Only what moves intents may remove anything: a timer that is done, a key that a refusal frees, a request that was
  // not carried out; and the daily jobs what has expired.
  const deleters = [...uses.keys()].filter((name) => main(name).includes("dynamodb:DeleteItem"));
  const on = (name: string, target: "documents" | "bucket") => uses.get(name)?.grants.get(target) ?? [];
  const erasers = [...uses.keys()].filter((name) => on(name, "documents").includes("s3:DeleteObject"));
  expect(erasers).toEqual(["advance-intent", "daily", "payment-intents", "payment-links"]);
  expect([...uses.keys()].filter((name) => on(name, "bucket").length > 0)).toEqual(["daily"]);
  expect(deleters).toEqual(["advance-intent", "commissions", "daily", "payment-intents", "payment-links"]);
  // Reading a whole table is for the simulated rails, whose own it is, and for the match of books and rails.
  for (const [name, { grants }] of uses) {
    const scanned = [...grants].flatMap(([target, actions]) => (actions.includes("dynamodb:Scan") ? [target] : []));
    expect(
      scanned.filter((target) => target !== "rail"),
      name,
    ).toEqual(name === "daily" ? ["main"] : []);
  }
  // What prices quotes is told which rails there are, and reaches none of them.
  expect(uses.get("rates")?.names.has("CONNECTOR")).toBe(true);
  expect(uses.get("rates")?.names.has("CONNECTOR_SECRET")).toBe(false);
  expect([...(uses.get("rates")?.grants.keys() ?? [])]).not.toContain("rail");
});
