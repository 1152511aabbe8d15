import tab from "@bomb.sh/tab/commander";
import { Command, InvalidArgumentError, Option } from "commander";
import manifest from "../package.json" with { type: "json" };
import { auditCommand } from "./audit.ts";
import { commissionRequestCommands } from "./commission-requests.ts";
import { consoleCommand } from "./console/command.ts";
import { findCommand } from "./find.ts";
import { linkCommands } from "./intent-operations.ts";
import { intentCommands } from "./intents.ts";
import { keyCommands } from "./keys.ts";
import { ledgerCommands } from "./ledger.ts";
import { maintenanceCommands } from "./maintenance.ts";
import { queueCommands } from "./queue.ts";
import { reconciliationCommands } from "./reconciliation.ts";
import { seedCommand } from "./seed.ts";
import { subjectCommands } from "./subjects.ts";
import { tenantCommands } from "./tenants.ts";
import { todoCommand } from "./todo.ts";

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
    .version(manifest.version, "--version", "tell the version")
    .option("--prefix <prefix>", "the stage's deployment with this prefix, of several side by side")
    .option("--table <name>", "another table than the service's own: one that was restored")
    .addOption(new Option("--port <port>", "the local service's port").env("PORT").default("3000").argParser(parsePort))
    .addOption(new Option("--json", "print JSON instead of tables").conflicts("csv"))
    .option("--csv", "print lines for a spreadsheet instead of tables")
    .option("--yes", "do not ask before a change; needed where nobody is there to answer")
    .option(
      "--operator <name>",
      "who you are, for the audit log; without it, the user of this machine; on a stage a note beside your AWS identity",
    )
    .option("--reason <text>", "why, for the audit log")
    .showHelpAfterError()
    .addHelpText("after", CODES)
    .exitOverride();
  tenantCommands(program);
  keyCommands(program);
  auditCommand(program);
  maintenanceCommands(program);
  todoCommand(program);
  findCommand(program);
  intentCommands(program);
  linkCommands(program);
  reconciliationCommands(program);
  commissionRequestCommands(program);
  queueCommands(program);
  ledgerCommands(program);
  subjectCommands(program);
  seedCommand(program);
  consoleCommand(program);
  tab(program, { completionCommandName: "completion" });
  program.commands.find((command) => command.name() === "completion")?.addHelpText("after", COMPLETION);
  return program;
}

const CODES = `
Exit codes: 0 done, 2 wrong command line, 3 the service or AWS does not answer, 4 refused, unknown or found to be
wrong, 5 proposed to another person, 130 Ctrl-C.`;

const COMPLETION = `
The command needs a name first, for example: operator() { npx -y pnpm@12 --silent operator "$@"; }
Then: source <(operator completion bash), or zsh; in fish: operator completion fish | source`;

function parsePort(value: string): string {
  if (!/^\d{1,5}$/.test(value)) throw new InvalidArgumentError("a number of at most five digits");
  return value;
}
