import { listReconciliations } from "@intents/storage/reconciliation.ts";
import { type Command, Option } from "commander";
import { printAll } from "./output.ts";
import { openSession } from "./session.ts";
import { parseTenantId } from "./tenants.ts";

export function reconciliationCommands(program: Command): void {
  const reconciliation = program.command("reconciliation").description("what a rail said too late, or contradicted");
  reconciliation
    .command("list")
    .addOption(new Option("--tenant <id>", "whose payments").argParser(parseTenantId).makeOptionMandatory())
    .action(async ({ tenant }: { tenant: string }, command: Command) => {
      const session = openSession(command);
      printAll(session, await listReconciliations(session.table, tenant));
    });
}
