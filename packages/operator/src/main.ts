import { Command, CommanderError } from "commander";
import { keyCommands } from "./keys.ts";
import { maintenanceCommands } from "./maintenance.ts";
import { Refusal } from "./refusal.ts";
import { tenantCommands } from "./tenants.ts";

const program = new Command("operator")
  .description("Runs the payment intent service: tenants, keys, maintenance")
  .option("--stage <stage>", "sandbox or production in AWS, with your own credentials; without it, the local service")
  .option("--port <port>", "the local service's port", "3000")
  .option("--json", "print JSON instead of tables")
  .option("--yes", "do not ask before a change")
  .option("--reason <text>", "why, for the audit log", "not given")
  .showHelpAfterError()
  .exitOverride();

tenantCommands(program);
keyCommands(program);
maintenanceCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  // Commander has told the user already what is wrong with the command line.
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else if (error instanceof Refusal) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  } else throw error;
}
