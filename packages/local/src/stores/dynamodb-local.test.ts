import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { startDynamoDbLocal } from "./dynamodb.ts";
import { findDynamoDbLocal } from "./dynamodb-local.ts";

const packages = join(import.meta.dirname, "../../..");

/**
 * The tests of the storage and of the sandbox rail that start tables, in any store. The suite runs a sample:
 * transactions and lists use most of the store's language.
 */
const isWhole = process.env["WHOLE"] === "1";
const sample = /storage\/src\/(table\/|lists\/lists)/;
const suites = ["storage", "rails"]
  .flatMap((name) =>
    readdirSync(join(packages, name, "src"), { recursive: true, encoding: "utf8" }).map((file) =>
      join(packages, name, "src", file),
    ),
  )
  .filter((file) => file.endsWith(".test.ts") && (isWhole || sample.test(file)))
  .filter((file) => /\bstart(Table|Sandbox)\(/.test(readFileSync(file, "utf8")));

// The embedded store tests the laws of lists with many more queries; here a few show that this store accepts them.
process.env["LIST_QUERIES"] ??= "200";

const NAME = "storage on DynamoDB Local";
const found = await findDynamoDbLocal();

if ("missing" in found) test(NAME, ({ skip }) => skip(found.missing));
else {
  // Amazon's own DynamoDB for tests refuses what the embedded one lets pass, as AWS does.
  describe(NAME, () => {
    let stop: () => Promise<void>;
    const given = process.env["DYNAMODB_ENDPOINT"];

    beforeAll(async () => {
      const store = await startDynamoDbLocal(undefined);
      process.env["DYNAMODB_ENDPOINT"] = store.endpoint;
      stop = store.stop;
    });
    afterAll(async () => {
      if (given === undefined) delete process.env["DYNAMODB_ENDPOINT"];
      else process.env["DYNAMODB_ENDPOINT"] = given;
      await stop?.();
    });

    for (const suite of suites) describe(relative(packages, suite), () => import(suite));
  });
}
