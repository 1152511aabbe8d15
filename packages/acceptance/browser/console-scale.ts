import { parseArgs } from "node:util";
import { assembleConsole } from "@intents/console/assemble.ts";
import { openPages } from "@intents/operator/console/pages.ts";
import { printAll } from "@intents/operator/output.ts";
import { openOperator } from "../service/operator-fixture.ts";
import { launchService } from "../service/service.ts";
import { openCounted } from "./console-means.ts";
import { seedPayments, seedRecords } from "./console-seed.ts";

// `pnpm console:scale`: what each page of the console takes over 100,000 payments, or as many as are asked for.

const TENANT = "1001";
const RUNS = 3;
/** One record of every other kind for so many payments. */
const PAYMENTS_PER_RECORD = 25;
/** A page that takes longer makes the command fail. */
const PATIENCE_MS = 2_000;

const { positionals } = parseArgs({ allowPositionals: true });
const payments = Number(positionals[0] ?? 100_000);

const service = await launchService();
const operator = openOperator(service.url);
Object.assign(process.env, operator.environment);
await seedPayments(operator.table, TENANT, payments, Date.now());
await seedRecords(operator.table, TENANT, Math.ceil(payments / PAYMENTS_PER_RECORD), Date.now());
const { means, taken } = await openCounted(operator);
const respond = openPages({ means, console: await assembleConsole() });

/** Measures a page over `RUNS`: median time, calls, size. */
async function measure(address: string) {
  const [name = "", query = ""] = address.split("?");
  const times: number[] = [];
  let html = "";
  taken();
  for (let run = 0; run < RUNS; run++) {
    const beganMs = performance.now();
    const { status, body } = await respond(name, new URLSearchParams(query));
    times.push(performance.now() - beganMs);
    html = String(body);
    if (status !== 200) throw new Error(`${address} answered ${status}`);
  }
  const ms = times.toSorted((one, other) => one - other)[Math.floor(RUNS / 2)] ?? 0;
  return {
    row: { page: address, ms: Math.round(ms), calls: taken() / RUNS, KB: Math.round(html.length / 1024) },
    html,
  };
}

const first = await measure("payments?days=7");
const [, older = ""] = /href="(payments\?[^"]*cursor=[^"]*)"/.exec(first.html) ?? [];
const [, intent = ""] = /href="(intent\?[^"]*)"/.exec(first.html) ?? [];
const addresses = [
  ...["payments?days=1", "payments?days=30", "payments?status=completed", "payments?status=requires_recovery"],
  ...[older, intent].map((address) => address.replaceAll("&amp;", "&")),
  ...["search?what=payer.1@example.com", "search?what=nobody@example.com&everywhere=yes", "search?what=900.00 BRL"],
  ...["todo", "todo?everywhere=yes", "requests", "requests?status=submitted", "reconciliation"],
  ...["reconciliation?all=yes", "queue", "books?days=1", "books?days=30"],
];
const rows = [first.row];
for (const address of addresses) rows.push((await measure(address)).row);
printAll({ format: "table" }, rows);
const slow = rows.filter(({ ms }) => ms > PATIENCE_MS);
operator.close();
await service.stop();
process.exitCode = slow.length > 0 ? 1 : 0;
