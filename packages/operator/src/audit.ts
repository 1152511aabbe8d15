import { listReads } from "@intents/storage/audit/document-reads.ts";
import { listOperatorAudit, SERVICE_TENANT } from "@intents/storage/audit/operators.ts";
import type { Command } from "commander";
import { limitOption, printAll } from "./output.ts";
import { openSession, type Session } from "./session.ts";
import { ofEach, tenantsOf, whoseOption } from "./whose.ts";

type Options = Readonly<{ tenant?: string; readsOf?: string; limit: number }>;

export function auditCommand(program: Command): void {
  program
    .command("audit")
    .description("operators' changes and requests, newest first: who, when and why")
    .addOption(whoseOption("of all tenants and of the service"))
    .option("--reads-of <id>", "who got identity documents of this student, payer or payment, instead")
    .addOption(limitOption())
    .action(async (options: Options, command: Command) => {
      await list(await openSession(command), options);
    });
}

async function list(session: Session, { tenant: named, readsOf, limit }: Options): Promise<void> {
  if (readsOf !== undefined) {
    const reads = await ofEach(await tenantsOf(session, named), (id) => listReads(session.table, id, readsOf, limit));
    return printAll(session, reads.slice(0, limit));
  }
  const subjects = [...(await tenantsOf(session, named)), ...(named === undefined ? [SERVICE_TENANT] : [])];
  const entries = await ofEach(subjects, async (subject) => {
    const tenant = named === undefined && subject !== SERVICE_TENANT ? { tenant: subject } : {};
    const changes = await listOperatorAudit(session.table, subject, limit);
    return changes.map(({ at, operator, note, action, reason, data }) => ({
      at,
      ...tenant,
      operator,
      note,
      action,
      reason,
      data,
    }));
  });
  const newest = entries.toSorted((one, other) => other.at.localeCompare(one.at)).slice(0, limit);
  printAll(session, newest);
}
