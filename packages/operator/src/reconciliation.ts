import {
  closeReconciliation,
  listReconciliations,
  type Reconciliation,
  reconciliationId,
} from "@intents/storage/reviews/reconciliation.ts";
import { type Command, Option } from "commander";
import { print, printAll } from "./output.ts";
import { Refusal } from "./refusal.ts";
import { openSession } from "./session.ts";
import { tenantOption } from "./tenants.ts";

export function reconciliationCommands(program: Command): void {
  const reconciliation = program.command("reconciliation").description("what a rail said too late, or contradicted");
  reconciliation
    .command("list")
    .description("open records of a tenant, by intent")
    .addOption(tenantOption())
    .addOption(new Option("--all", "closed ones, too"))
    .action(async ({ tenant, all }: { tenant: string; all?: true }, command: Command) => {
      const session = await openSession(command);
      const records = await listReconciliations(session.table, tenant);
      printAll(
        session,
        records
          .filter(({ closed }) => all === true || closed === undefined)
          .map(({ intentId, executionId, kind, nth = 1, said, stands, openedAt, closed, earlier = [] }) => ({
            id: reconciliationId({ intentId, executionId, kind, nth }),
            ...{ intentId, executionId, kind, said, stands, openedAt },
            before: earlier.map((word) => [`"${word.said}"`, ...settled(word.closed)].join(" closed ")).join("; "),
            ...(all === true && { closed: settled(closed).join() }),
          })),
      );
    });
  reconciliation
    .command("close")
    .description("marks a record as settled by hand; it stays in the list with --all")
    .argument("<id>", "as listed")
    .addOption(tenantOption())
    .action(async (id: string, { tenant }: { tenant: string }, command: Command) => {
      const session = await openSession(command);
      session.operation();
      await session.confirm(`Close ${id}?`);
      const change = session.change("reconciliation.close", { id });
      const closed = await closeReconciliation(session.table, tenant, id, change);
      if (closed === undefined) throw new Refusal(`There is no open record ${id}`);
      print(session, { id, ...closed.closed });
    });
}

const settled = (closed: Reconciliation["closed"]): readonly string[] =>
  closed === undefined ? [] : [`${closed.at} by ${closed.by}: ${closed.reason}`];
