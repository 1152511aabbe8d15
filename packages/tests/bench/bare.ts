import { createRequire } from "node:module";
import { join } from "node:path";
import { mainTableSchema, railTableSchema } from "@intents/deployment/table-schema.ts";
import { awsEnvironment, localDefaults } from "@intents/local/local-settings.ts";
import { seed } from "@intents/local/seed.ts";
import { startDynamoDb } from "@intents/local/stores/dynamodb.ts";
import { drawSecret } from "@intents/local/stores/secret.ts";
import { createTables } from "@intents/local/stores/tables.ts";
import { openTable } from "@intents/storage/table/table.ts";

// The bare server starts as the service does: a bundle, on a seeded store of the same kind, which ends with the process.
const { TABLE_NAME, RAIL_TABLE_NAME } = localDefaults;
const secret = drawSecret();
const store = await startDynamoDb(undefined, { secret });
Object.assign(process.env, awsEnvironment({ dynamodb: store.endpoint, s3AndSqs: "", queueUrl: "", secret }));
await createTables(store.endpoint, { [TABLE_NAME]: mainTableSchema, [RAIL_TABLE_NAME]: railTableSchema }, secret);
await seed(openTable(TABLE_NAME));
createRequire(import.meta.url)(join(process.env["DIST"] ?? "", "bare-server/index.cjs"));
