import { Command, Option } from "commander";
import { auditCommand } from "./audit.ts";
import { commissionRequestCommands } from "./commission-requests.ts";
import { findCommand } from "./find.ts";
import { linkCommands } from "./intent-operations.ts";
import { intentCommands } from "./intents.ts";
import { keyCommands } from "./keys.ts";
import { ledgerCommands } from "./ledger.ts";
import { maintenanceCommands } from "./maintenance.ts";
import { queueCommands } from "./queue.ts";
import { reconciliationCommands } from "./reconciliation.ts";
import { Refusal } from "./refusal.ts";
import { seedCommand } from "./seed.ts";
import { subjectCommands } from "./subjects.ts";
import { tenantCommands } from "./tenants.ts";

/** All commands and the options that each of them takes. */
export function createProgram(): Command {
  const program = new Command("operator")
    .description("Runs the payment intent service: tenants, keys, payments, queue, ledger")
    .addOption(
      new Option("--stage <stage>", "in AWS, with your own credentials; without it, the local service").choices([
        "sandbox",
        "production",
      ]),
    )
    .option("--port <port>", "the local service's port", "3000")
    .option("--json", "print JSON instead of tables")
    .option("--yes", "do not ask before a change")
    .option(
      "--operator <name>",
      "who you are, for the audit log; without it, the user of this machine; on a stage a note beside your AWS identity",
    )
    .option("--reason <text>", "why, for the audit log")
    .showHelpAfterError()
    .exitOverride();
  tenantCommands(program);
  keyCommands(program);
  auditCommand(program);
  maintenanceCommands(program);
  findCommand(program);
  intentCommands(program);
  linkCommands(program);
  reconciliationCommands(program);
  commissionRequestCommands(program);
  queueCommands(program);
  ledgerCommands(program);
  subjectCommands(program);
  seedCommand(program);
  return program;
}

/** The reason why a command was not carried out, in one line for its user. Throws an error that only a bug explains. */
export function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  if (!(error instanceof Error)) throw error;
  // The local service was killed, so that it could not remove the file that tells where it is.
  if ("code" in error && error.code === "ECONNREFUSED") return `The service does not answer: ${error.message}`;
  // These are the AWS SDK's errors: the stage is not deployed, not allowed, or there are no credentials.
  if ("$metadata" in error || error.name === "CredentialsProviderError") return `${error.name}: ${error.message}`;
  throw error;
}
