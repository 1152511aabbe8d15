import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { findDynamoDbLocal, startDynamoDbLocal } from "./dynamodb-local-fixture.ts";

const packages = join(import.meta.dirname, "../..");

/** All tests of the storage and of the sandbox rail that start tables of their own; they take them where they are told. */
const suites = ["storage", "connectors"]
  .flatMap((name) => readdirSync(join(packages, name, "src")).map((file) => join(packages, name, "src", file)))
  .filter((file) => file.endsWith(".test.ts") && /\bstart(Table|Sandbox)\(/.test(readFileSync(file, "utf8")));

// Whether lists obey their laws is for the embedded store to show, many times faster; here, that the store takes them.
process.env["LIST_QUERIES"] ??= "200";

const NAME = "storage on DynamoDB Local";
const found = await findDynamoDbLocal();

if ("missing" in found) test(NAME, ({ skip }) => skip(found.missing));
else {
  // Amazon's own DynamoDB for tests refuses what the embedded one lets pass, as AWS does.
  describe(NAME, { timeout: 30_000 }, () => {
    let stop: () => Promise<void>;
    const given = process.env["DYNAMODB_ENDPOINT"];

    beforeAll(async () => {
      const store = await startDynamoDbLocal(found.jars);
      process.env["DYNAMODB_ENDPOINT"] = store.endpoint;
      stop = store.stop;
    }, 90_000);
    afterAll(async () => {
      if (given === undefined) delete process.env["DYNAMODB_ENDPOINT"];
      else process.env["DYNAMODB_ENDPOINT"] = given;
      await stop?.();
    });

    for (const suite of suites) describe(relative(packages, suite), () => import(suite));
  });
}
