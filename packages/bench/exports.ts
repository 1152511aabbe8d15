import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { writeItems } from "@intents/acceptance/service/collections.ts";
import type { Commission } from "@intents/domain/commissions/commission.ts";
import { EVENTS, readEventFile } from "@intents/local/events/event.ts";
import { commissionItem } from "@intents/storage/commissions/commissions.ts";
import { type Row, toRow } from "./figures.ts";
import { interleave, type Plan } from "./plan.ts";
import { environmentOf, startService } from "./processes.ts";

const COMMISSIONS = 100_000;
const STEP = 500;
/** The month of all the commissions, and a month without any. */
const FULL = "2026-10";
const EMPTY = "2026-09";

/** The commission at `index`: there is one every second, from the beginning of the month. */
function commissionAt(index: number): Commission {
  const paidMs = Date.parse(`${FULL}-01T00:00:00.000Z`) + index * 1_000;
  const paymentId = 1_000_000 + index;
  return {
    id: paidMs.toString(16).padStart(12, "0") + paymentId.toString(16).padStart(14, "0"),
    paymentId,
    studentName: `Student Number ${index}`,
    payeeName: "University of Sydney",
    payerAmount: "5012.40",
    payerCurrency: "BRL",
    commissionAmount: "50.12",
    commissionCurrency: "BRL",
    commissionSpread: 0.01,
    paymentDate: new Date(paidMs).toISOString(),
  };
}

type Exported = Readonly<{ statusCode: number; ms: number; megabytes: number }>;

/** The export of a month with 100,000 commissions, against that of an empty one, each in a process of its own. */
export async function measureExports({ dist, folder, rounds }: Plan): Promise<Row[]> {
  const service = await startService(dist);
  const env = environmentOf(service);
  const { AWS_ENDPOINT_URL_DYNAMODB: endpoint = "", TABLE_NAME: name = "" } = env;
  const credentials = { accessKeyId: "local", secretAccessKey: "local", sessionToken: env["AWS_SESSION_TOKEN"] ?? "" };
  const client = new DynamoDBClient({ endpoint, region: "us-east-1", credentials });
  const table = { client, db: DynamoDBDocumentClient.from(client), name };
  for (let start = 0; start < COMMISSIONS; start += STEP) {
    const items = Array.from({ length: STEP }, (_, index) => commissionItem("1001", commissionAt(start + index)));
    await writeItems(table, items);
  }
  client.destroy();

  const { event } = readEventFile(join(EVENTS, "commissions/exportCommissions.json"));
  const megabytes: Record<string, number[]> = { [FULL]: [], [EMPTY]: [] };
  const exportOf = (reportPeriod: string, statusCode: number) => () => {
    const file = join(folder, `export-${reportPeriod}.json`);
    const parameters = { reportPeriod: [reportPeriod] };
    writeFileSync(file, JSON.stringify({ ...event, multiValueQueryStringParameters: parameters }));
    const args = [join(import.meta.dirname, "exported.ts"), dist, "commissions", file];
    const options = { encoding: "utf8", env: { ...process.env, ...env } } as const;
    const exported = JSON.parse(execFileSync(process.execPath, args, options)) as Exported;
    if (exported.statusCode !== statusCode) throw new Error(`An export was answered with ${exported.statusCode}`);
    megabytes[reportPeriod]?.push(exported.megabytes);
    return exported.ms;
  };
  // A large file is answered with a link.
  const times = await interleave(rounds, { full: exportOf(FULL, 303), empty: exportOf(EMPTY, 200) });
  await service.stop();
  return [
    toRow({ name: `export of ${COMMISSIONS} commissions`, unit: "ms", ours: times.full, goal: { atMost: 20_000 } }),
    toRow({
      name: `peak memory of that export, against an empty one`,
      unit: "MB",
      ours: megabytes[FULL] ?? [],
      baseline: megabytes[EMPTY] ?? [],
      goal: { atMost: 3 },
    }),
  ];
}
