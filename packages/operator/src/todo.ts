import { type Command, Option } from "commander";
import { printAll } from "./output.ts";
import { openSession } from "./session.ts";
import { findTasks } from "./tasks.ts";
import { parseTenantId } from "./tenants.ts";

export function todoCommand(program: Command): void {
  program
    .command("todo")
    .description("what needs a person, oldest first, each with the command that acts")
    .addOption(
      new Option("--tenant <id>", "whose; without it, of all tenants and of the service").argParser(parseTenantId),
    )
    .action(async ({ tenant }: Readonly<{ tenant?: string }>, command: Command) => {
      const session = await openSession(command);
      printAll(session, await findTasks(session, tenant, Date.now()));
    });
}
