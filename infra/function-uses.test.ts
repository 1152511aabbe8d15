import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BundleFolders } from "./bundle.ts";
import { findFunctionUses, usesIn, withhold } from "./function-uses.ts";
import { withheld } from "./withheld.ts";

const uses = await findFunctionUses();
const dynamoDb = (...names: string[]) => `import { ${names.join(", ")} } from "@aws-sdk/lib-dynamodb";\n`;
const grantsIn = (bundle: string) => Object.fromEntries(usesIn(bundle).grants);

describe("a bundle's grants", () => {
  test("are the commands it sends, each to the table in its name, or else to the main one", () => {
    const bundle =
      dynamoDb("GetCommand as GetCommand3", "UpdateCommand as WindowsUpdateCommand2") +
      dynamoDb("PutItemCommand", "ScanCommand as RailScanCommand", "DeleteCommand") +
      `db.send(new GetCommand3({ Key }));
      db.send(new WindowsUpdateCommand2({ Key }));
      const Sent = isNew ? PutItemCommand : undefined;
      db.send(new RailScanCommand({}));
      const { CopyObjectCommand } = await import("@aws-sdk/client-s3");
      client.send(new SendMessageBatchCommand({ Entries }));`;
    expect(grantsIn(bundle)).toEqual({
      documents: ["s3:GetObject", "s3:PutObject"],
      main: ["dynamodb:GetItem", "dynamodb:PutItem"],
      queue: ["sqs:SendMessage"],
      rail: ["dynamodb:Scan"],
      windows: ["dynamodb:UpdateItem"],
    });
  });

  test("of a transaction are the writes that it may consist of", () => {
    const writes = "const a = [{ write: { Put: { Item } } }, { Delete }];";
    const sent = (name: string) => `${dynamoDb(name)}db.send(new ${name}({ TransactItems }));`;
    const writing = ["dynamodb:DeleteItem", "dynamodb:PutItem"];
    expect(grantsIn(sent("TransactWriteCommand") + writes)).toEqual({ main: writing });
    expect(grantsIn(sent("RailTransactWriteCommand") + writes)).toEqual({ rail: writing });
    expect(grantsIn(writes)).toEqual({});
  });

  test.each(["QueryCommand", "paginateQuery"])(
    "of a query by %s are the indexes named, and the table by its key",
    (name) => {
      const query = `${dynamoDb(name)}export const helper = (query) => ${name}(query);\n`;
      const lists = `helper({ IndexName: "byOwner", KeyConditionExpression: "ownerPK = :pk" });\n`;
      const counters = `helper({ KeyConditionExpression: "PK = :pk" });\n`;
      expect(grantsIn(query + lists)).toEqual({ "main/index/byOwner": ["dynamodb:Query"] });
      expect(grantsIn(query + counters)).toEqual({ main: ["dynamodb:Query"] });
      expect(grantsIn(lists + counters)).toEqual({});
    },
  );

  test.each([
    ["a command without a known action", "BatchWriteCommand", "db.send(new BatchWriteCommand({}));"],
    ["a client of another kind", "DynamoDBDocument", "DynamoDBDocument.from(client).get({});"],
    ["a query of nothing that it names", "QueryCommand", "db.send(new QueryCommand(query));"],
    ["a command that is loaded late", "GetCommand", `const { RestoreObjectCommand } = await import("x");`],
  ])("are refused for %s", (_, name, code) => {
    expect(() => usesIn(dynamoDb(name) + code)).toThrow(/^The grant for \w+ is not known/);
  });
});

describe("a function", () => {
  let folders: BundleFolders;
  const files = {
    "functions/reader.ts": `import { walkOwned } from "../packages/storage/src/owned.ts";
      import { open } from "../packages/settings/src/open.ts";
      export const handler = () => walkOwned(open(process.env));`,
    "packages/storage/src/owned.ts": `import { pages } from "./table/pages.ts";
      export const walkOwned = (db) => pages(db, { IndexName: "byOwner", KeyConditionExpression: "ownerPK = :pk" });
      export const walkDue = (db) => pages(db, { IndexName: "byDue", KeyConditionExpression: "dueShard = :pk" });
      export const readAll = (db) => pages(db, { KeyConditionExpression: "PK = :pk" });`,
    "packages/storage/src/table/pages.ts": `import { GetCommand, paginateQuery } from "@aws-sdk/lib-dynamodb";
      export const pages = (client, query) => paginateQuery({ client }, query);
      export const find = (db) => db.send(new GetCommand({}));`,
    "packages/settings/src/open.ts": `import { parseSettings } from "@intents/deployment/settings.ts";
      const { BUCKET_NAME } = parseSettings(process.env);
      export const open = (env) => [parseSettings(env).QUEUE_URL, BUCKET_NAME];
      export const secret = (env) => parseSettings(env).CONNECTOR_SECRET;`,
  };

  beforeAll(() => {
    const root = mkdtempSync(join(tmpdir(), "uses-"));
    folders = { root, functions: join(root, "functions"), dist: join(root, "dist") };
    for (const folder of ["functions", "packages/storage/src/table", "packages/settings/src"])
      mkdirSync(join(root, folder), { recursive: true });
    for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  });
  afterAll(() => rmSync(folders.root, { recursive: true }));

  test("has the grants and the settings of all that it reaches in whatever file, and of nothing else there", async () => {
    const planted = await findFunctionUses(folders);
    expect([...planted.keys()]).toEqual(["reader"]);
    const { grants, settings } = planted.get("reader")!;
    expect(Object.fromEntries(grants)).toEqual({ "main/index/byOwner": ["dynamodb:Query"] });
    expect(settings).toEqual(["BUCKET_NAME", "QUEUE_URL"]);
  });
});

test("what the service's functions may do to the main table is known for each of them", () => {
  const main = (name: string) => uses.get(name)?.grants.get("main") ?? [];
  expect(main("fallback")).toEqual([]);
  // It reads how far the sweeps have come, and whose webhooks to look after, notes how far work is spread, and moves back a cursor that lies ahead.
  expect(main("dispatch-due")).toEqual([
    "dynamodb:BatchGetItem",
    "dynamodb:GetItem",
    "dynamodb:Query",
    "dynamodb:UpdateItem",
  ]);
  for (const name of ["authorizer", "lookup", "reserved"]) expect(main(name)).toEqual(["dynamodb:GetItem"]);
  // Few functions may delete items: movers of intents (done timers, freed keys), commissions (aborted requests),
  // parties, webhooks (endpoints) and the daily jobs (expired items).
  const deleters = [...uses.keys()].filter((name) => main(name).includes("dynamodb:DeleteItem"));
  const on = (name: string, target: "documents" | "bucket") => uses.get(name)?.grants.get(target) ?? [];
  const erasers = [...uses.keys()].filter((name) => on(name, "documents").includes("s3:DeleteObject"));
  expect(erasers).toEqual(["advance-intent", "commissions", "daily", "parties", "payment-intents", "payment-links"]);
  expect([...uses.keys()].filter((name) => on(name, "bucket").length > 0)).toEqual(["daily"]);
  const others = ["advance-intent", "commissions", "daily", "parties", "payment-intents", "payment-links"];
  expect(deleters).toEqual([...others, "webhooks"]);
  // A simulated rail may scan its own table, and the comparison of books and rails the main one.
  for (const [name, { grants }] of uses) {
    const scanned = [...grants].flatMap(([target, actions]) => (actions.includes("dynamodb:Scan") ? [target] : []));
    expect(
      scanned.filter((target) => target !== "rail"),
      name,
    ).toEqual(name === "daily" ? ["main"] : []);
  }
  // The function that prices quotes knows which rails there are, and reaches none of them.
  expect(uses.get("rates")?.settings).toContain("CONNECTOR");
  expect(uses.get("rates")?.settings).not.toContain("CONNECTOR_SECRET");
  expect([...(uses.get("rates")?.grants.keys() ?? [])]).not.toContain("rail");
});

describe("what a function's code contains and it never does", () => {
  const [name, plan] = ["payees", uses.get("payees")];

  test("is not among its uses", () => {
    expect(plan?.keys).toContain("list");
    expect(plan?.keys).not.toContain("facet");
    expect(plan?.grants.get("main/index/byCreation")).toEqual(["dynamodb:Query"]);
    for (const index of ["byChange", "byFacet"] as const) expect(plan?.grants.has(`main/index/${index}`)).toBe(false);
  });

  test("is withheld from functions that there are, and only as long as their code contains it", () => {
    expect(withheld.flatMap(({ functions }) => functions).filter((each) => !uses.has(each))).toEqual([]);
    expect(() => withhold(name, { grants: new Map(), keys: [], settings: [] })).toThrow(
      "The code of payees does not contain dynamodb:Query: it need not be withheld",
    );
  });
});
