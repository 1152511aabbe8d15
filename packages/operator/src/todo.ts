import type { Command } from "commander";
import { limitOption, printAll } from "./output.ts";
import { openSession } from "./session.ts";
import { boundsFor, findTasks } from "./tasks.ts";
import { whoseOption } from "./whose.ts";

export function todoCommand(program: Command): void {
  program
    .command("todo")
    .description("tasks for a person, oldest first, each with the command to run")
    .addOption(whoseOption("of all tenants and of the service"))
    .addOption(limitOption())
    .action(async ({ tenant, limit }: Readonly<{ tenant?: string; limit: number }>, command: Command) => {
      const session = await openSession(command);
      const { tasks, hasMore, unseen } = await findTasks(session, tenant, Date.now(), boundsFor(limit));
      printAll(session, tasks);
      if (hasMore) process.stderr.write("there are more: --limit\n");
      for (const each of unseen) process.stderr.write(`not looked at: ${each}\n`);
    });
}
