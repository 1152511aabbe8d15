import { fromMinorUnits } from "@intents/domain/money.ts";
import { countItems, verifyTable } from "@intents/storage/ledger-scan.ts";
import { type Command, Option } from "commander";
import { openProgress, print, printAll } from "./output.ts";
import { openSession, type Session } from "./session.ts";
import { parseTenantId } from "./tenants.ts";

type Options = Readonly<{ tenant?: string; recount?: true }>;

export function ledgerCommands(program: Command): void {
  const ledger = program.command("ledger").description("double entry of every payment");
  ledger
    .command("verify")
    .description("holds every intent against its ledger, executions and audit; ends with 1 when something is wrong")
    .addOption(new Option("--tenant <id>", "only this tenant's").argParser(parseTenantId))
    .option("--recount", "the counters of lists, too: exact only while nothing changes")
    .action(async (options: Options, command: Command) => {
      await verify(openSession(command), options);
    });
}

async function verify(session: Session, { tenant, recount }: Options): Promise<void> {
  const { table, json } = session;
  const progress = openProgress("items", await countItems(table));
  const { turnovers, findings, ...sums } = await verifyTable(table, {
    ...(tenant !== undefined && { tenantId: tenant }),
    ...(recount === true && { recount }),
    onRead: progress.advance,
  });
  progress.end();
  const totals = [...turnovers].toSorted().map(([name, { debit, credit }]) => {
    const [account = "", currency = ""] = name.split(" ");
    return { account, currency, debit: fromMinorUnits(debit, currency), credit: fromMinorUnits(credit, currency) };
  });
  if (json) print(session, { ...sums, totals, findings });
  else {
    printAll(session, totals);
    if (findings.length > 0) printAll(session, findings);
    print(session, sums);
  }
  if (sums.problems > 0) process.exitCode = 1;
}
