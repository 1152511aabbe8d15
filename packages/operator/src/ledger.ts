import { fromMinorUnits, groupAmount } from "@intents/domain/amounts/money.ts";
import { DAY_MS } from "@intents/domain/durations.ts";
import type { Turnovers } from "@intents/domain/ledger/verify.ts";
import { matchRails } from "@intents/execution/rails/match.ts";
import { countItems, verifyTable } from "@intents/storage/operations/ledger-scan.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { copyMissing, findCopyFaults } from "./history.ts";
import { openProgress, print, printAll } from "./output.ts";
import { exitCodes } from "./refusal.ts";
import { openSession, type Session } from "./session.ts";
import { parseTenantId } from "./tenants.ts";

type Options = Readonly<{ tenant?: string; recount?: true }>;

export function ledgerCommands(program: Command): void {
  const ledger = program.command("ledger").description("the books: double entry of every payment");
  ledger
    .command("verify")
    .description(
      "compares every payment with its ledger, executions and audit, and these with their copies; exits with 4 on a difference",
    )
    .addOption(new Option("--tenant <id>", "only this tenant's").argParser(parseTenantId))
    .option("--recount", "also compare the counters of lists; exact only while nothing changes")
    .action(async (options: Options, command: Command) => {
      await verify(await openSession(command), options);
    });
  ledger
    .command("copy")
    .description("copies entries of audit and ledger that have no copy yet")
    .action(async (_options: unknown, command: Command) => {
      await copyMissing(await openSession(command));
    });
  ledger
    .command("match")
    .description("compares the rails' payments with the books, both ways; exits with 4 on a difference")
    .addOption(new Option("--tenant <id>", "only this tenant's").argParser(parseTenantId))
    .addOption(new Option("--days <n>", "how many days to look back").argParser(parseDays).default(7))
    .action(async (options: Readonly<{ tenant?: string; days: number }>, command: Command) => {
      await match(await openSession(command), options);
    });
}

/** A rail may have forgotten older payments (docs/rail-api.yaml). */
const DAYS_MAX = 29;

function parseDays(value: string): number {
  const days = /^\d{1,2}$/.test(value) ? Number(value) : 0;
  if (days < 1 || days > DAYS_MAX) throw new InvalidArgumentError(`a number from 1 to ${DAYS_MAX}`);
  return days;
}

async function match(session: Session, { tenant, days }: Readonly<{ tenant?: string; days: number }>): Promise<void> {
  const run = await session.run();
  const matched = await matchRails(run, {
    sinceMs: run.now() - days * DAY_MS,
    ...(tenant !== undefined && { tenantId: tenant }),
  });
  const { findings, unlisted, ...sums } = matched;
  if (session.format === "json") print(session, { ...sums, findings });
  else if (session.format === "csv") printAll(session, findings);
  else {
    if (findings.length > 0) printAll(session, findings);
    print(session, sums);
  }
  const [silent] = unlisted;
  if (silent !== undefined) throw silent;
  if (sums.problems > 0) process.exitCode = exitCodes.refused;
}

/** Exact sums by account and currency. */
export const toTotals = (turnovers: Turnovers) =>
  [...turnovers].toSorted().map(([name, { debit, credit }]) => {
    const [account = "", currency = ""] = name.split(" ");
    return { account, currency, debit: fromMinorUnits(debit, currency), credit: fromMinorUnits(credit, currency) };
  });

async function verify(session: Session, { tenant, recount }: Options): Promise<void> {
  const { table, format } = session;
  const progress = openProgress("items", await countItems(table));
  const { turnovers, ...verified } = await verifyTable(table, {
    ...(tenant !== undefined && { tenantId: tenant }),
    ...(recount === true && { recount }),
    onRead: progress.advance,
  });
  progress.end();
  const faults = await findCopyFaults(session, tenant);
  const findings = [...verified.findings, ...(faults ?? []).map(({ entry: _entry, ...fault }) => fault)];
  const sums = {
    intents: verified.intents,
    entries: verified.entries,
    problems: verified.problems + (faults?.length ?? 0),
    copies: faults === undefined ? "not kept on this stage" : "compared",
  };
  const totals = toTotals(turnovers);
  if (format === "json") print(session, { ...sums, totals, findings });
  else if (format === "csv") printAll(session, findings);
  else {
    const grouped = totals.map(({ debit, credit, ...total }) => ({
      ...total,
      debit: groupAmount(debit),
      credit: groupAmount(credit),
    }));
    printAll(session, grouped);
    if (findings.length > 0) printAll(session, findings);
    print(session, sums);
  }
  if (sums.problems > 0) process.exitCode = exitCodes.refused;
}
