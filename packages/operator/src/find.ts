import { DAY_MS } from "@intents/domain/durations.ts";
import type { FoundPayments } from "@intents/domain/search/payment-row.ts";
import { readQuestion } from "@intents/domain/search/question.ts";
import { findPayments } from "@intents/execution/search/find.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { limitOption, printAll } from "./output.ts";
import { afterOption, paymentView } from "./payment-rows.ts";
import { Refusal } from "./refusal.ts";
import { openSession, type Session } from "./session.ts";
import { tenantsOf, whoseOption } from "./whose.ts";

type Options = Readonly<{ tenant?: string; since: number; limit: number; after?: string }>;

const SINCE_DAYS = 30;

export function findCommand(program: Command): void {
  program
    .command("find")
    .description(
      "payments by id, payment id (the bank reference), link, e-mail of payer or student, amount with currency, name " +
        "of payer, student or payee, payee id, reference, the tenant's own id (externalId), or the rail's own",
    )
    .argument("<what...>", "such as 1500.00 BRL, ana@example.com or 2837465748392")
    .addOption(whoseOption())
    .addOption(
      new Option("--since <day>", "oldest day to search, where no id leads to the payment: 2026-01-31")
        .argParser(parseDay)
        .default(Date.now() - SINCE_DAYS * DAY_MS, `${SINCE_DAYS} days`),
    )
    .addOption(limitOption())
    .addOption(afterOption())
    .action(async (what: string[], options: Options, command: Command) => {
      await find(await openSession(command), what.join(" "), options);
    });
}

async function find(session: Session, what: string, { tenant, since, limit, after }: Options): Promise<void> {
  const question = readQuestion(what);
  if (!question.ok) throw new Refusal(question.failure, "usage");
  const tenantIds = await tenantsOf(session, tenant);
  const search = await findPayments(session.table, question.value, { tenantIds, sinceMs: since, limit, after });
  printAll(session, search.rows, paymentView);
  const note = noteOn(search, since);
  if (note !== undefined) process.stderr.write(`${note}\n`);
}

/** How far a search has come that no key led to an end; undefined where nothing is left to say. */
function noteOn({ by, looked, after }: FoundPayments, sinceMs: number): string | undefined {
  if (by === "key") return after === undefined ? undefined : `there are more: --after ${after}`;
  const since = new Date(sinceMs).toISOString().slice(0, 10);
  if (after !== undefined) return `looked at ${looked} payments; go on with --after ${after}`;
  return `looked at all ${looked} payments since ${since}; --since goes further back`;
}

function parseDay(value: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
  // JavaScript reads 31 June as 1 July.
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== value)
    throw new InvalidArgumentError("a day, such as 2026-01-31");
  return ms;
}
