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
import { webhookCommands } from "./webhooks.ts";

/** All commands and the options that each of them takes. */
export function createProgram(): Command {
  const program = new Command("operator")
    .description("Runs the payment intent service: tenants, keys, payments, queue, ledger")
    .addOption(
      new Option(
        "--stage <stage>",
        "a stage in AWS, with your own credentials; default: the service on this machine",
      ).choices(["sandbox", "production"]),
    )
    .version(manifest.version, "--version", "print the version")
    .option("--prefix <prefix>", "prefix of the deployment, where a stage has several")
    .option("--table <name>", "name of a restored table, instead of the service's own")
    .addOption(new Option("--port <port>", "the local service's port").env("PORT").default("3000").argParser(parsePort))
    .addOption(new Option("--json", "print JSON instead of tables").conflicts("csv"))
    .option("--csv", "print lines for a spreadsheet instead of tables")
    .option("--yes", "answer yes to every question; scripts need it")
    .option(
      "--operator <name>",
      "your name in the audit log; default: this machine's user; on a stage a note beside your AWS identity",
    )
    .option("--reason <text>", "why, for the audit log")
    .configureOutput({
      // One line, so that the reason does not scroll away.
      outputError: (text, write) => write(`${text.trim().replaceAll(/\s*\n\s*/g, " ")}; --help tells more\n`),
    })
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
  webhookCommands(program);
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
The command must be on the PATH: PATH="$PWD/packages/operator/bin:$PATH"
Then: source <(operator completion bash), or zsh; in fish: operator completion fish | source`;

function parsePort(value: string): string {
  if (!/^\d{1,5}$/.test(value)) throw new InvalidArgumentError("a number of at most five digits");
  return value;
}
