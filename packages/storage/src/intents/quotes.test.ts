import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { quote } from "@intents/domain/test/intent-fixture.ts";
import { expect, test } from "vitest";
import { startTable } from "../../test/table-fixture.ts";
import { keysOf } from "../table/keys.ts";
import { addQuote, findQuote } from "./quotes.ts";

test("a quote is kept as it was made, for its own tenant, for 30 days past its expiry (H13)", async () => {
  const { table, stop } = await startTable();
  const made = quote([5001, 5002]);
  await addQuote(table, "1001", made);
  await expect(addQuote(table, "1001", { ...made, countryCode: "AU" })).rejects.toThrow();
  expect(await findQuote(table, "1001", made.quoteId)).toEqual(made);
  expect(await findQuote(table, "1002", made.quoteId)).toBeUndefined();
  const { Item } = await table.db.send(
    new GetCommand({ TableName: table.name, Key: keysOf("1001").quote(made.quoteId) }),
  );
  expect(Item?.["ttl"]).toBe(Date.parse(made.expiresOn) / 1000 + 30 * 86_400);
  await stop();
});
