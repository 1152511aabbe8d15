import { permissions } from "@intents/domain/parties/caller.ts";
import { operatorAudit } from "@intents/storage/audit/operators.ts";
import { findTenant } from "@intents/storage/parties/tenants.ts";
import { transact } from "@intents/storage/table/transact.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { hireCast } from "./demo-cast.ts";
import { makePayment } from "./demo-payments.ts";
import { openProgress, print } from "./output.ts";
import { Refusal } from "./refusal.ts";
import { openSession, type Session } from "./session.ts";
import { tenantOption } from "./tenants.ts";

const INTENTS_MAX = 100_000;
/** Payments made at the same time. */
const SIDE_BY_SIDE = 8;

type Options = Readonly<{ tenant: string; intents: number }>;

export function seedCommand(program: Command): void {
  program
    .command("seed")
    .description("fills a tenant with students, payees and payments for demos and load; not in production")
    .addOption(tenantOption())
    .addOption(new Option("--intents <n>", "how many payments").argParser(parseCount).default(20))
    .action(async (options: Options, command: Command) => {
      await seed(await openSession(command), options);
    });
}

async function seed(session: Session, { tenant: tenantId, intents }: Options): Promise<void> {
  const { table } = session;
  const settings = await session.settings();
  // In production, and behind a rail that is not simulated, payments would move real money.
  if (settings.STAGE === "production" || settings.CONNECTOR !== "sandbox") {
    throw new Refusal("Demo payments are made on the simulated rail only");
  }
  const tenant = await findTenant(table, tenantId);
  if (tenant === undefined) throw new Refusal(`There is no tenant ${tenantId}`);
  await session.confirm(`Make ${intents} demo payments for tenant ${tenantId}?`);
  await transact(table, () => [operatorAudit(table, tenantId, session.change("seed", { intents }))]);
  const run = await session.run();
  const caller = { tenantId, userId: "demo-seed", clientId: "demo-seed", permissions };
  const craft = { run, tenant, caller, quoteTtlMs: settings.QUOTE_TTL_SECONDS * 1000 };
  const cast = await hireCast(run, tenantId);
  const made: Record<string, number> = {};
  const progress = openProgress("payments", intents);
  for (let start = 0; start < intents; start += SIDE_BY_SIDE) {
    const batch = Array.from({ length: Math.min(SIDE_BY_SIDE, intents - start) }, (_, index) => start + index);
    for (const status of await Promise.all(batch.map((index) => makePayment(craft, cast, index)))) {
      made[status] = (made[status] ?? 0) + 1;
      progress.advance(1);
    }
  }
  progress.end();
  print(session, { intents, ...made });
}

function parseCount(value: string): number {
  const count = /^\d{1,6}$/.test(value) ? Number(value) : 0;
  if (count < 1 || count > INTENTS_MAX) throw new InvalidArgumentError(`a number from 1 to ${INTENTS_MAX}`);
  return count;
}
