import { listOperatorAudit, SERVICE_TENANT } from "@intents/storage/audit/operators.ts";
import { type Command, Option } from "commander";
import { limitOption, printAll } from "./output.ts";
import { openSession, type Session } from "./session.ts";
import { parseTenantId } from "./tenants.ts";

type Options = Readonly<{ tenant?: string; limit: number }>;

export function auditCommand(program: Command): void {
  program
    .command("audit")
    .description("what operators changed or asked for, newest first: who, when and why")
    .addOption(
      new Option("--tenant <id>", "whose; without it, what concerns the whole service").argParser(parseTenantId),
    )
    .addOption(limitOption())
    .action(async (options: Options, command: Command) => {
      await list(await openSession(command), options);
    });
}

async function list(session: Session, { tenant = SERVICE_TENANT, limit }: Options): Promise<void> {
  const entries = await listOperatorAudit(session.table, tenant, limit);
  printAll(
    session,
    entries.map(({ at, operator, note, action, reason, data }) => ({ at, operator, note, action, reason, data })),
  );
}
