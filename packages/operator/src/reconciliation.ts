import type { CorrectedOutcome } from "@intents/domain/money-state/correction.ts";
import { closeWith, planClose } from "@intents/execution/operations/correction.ts";
import { listReconciliations, type Reconciliation, reconciliationId } from "@intents/storage/reviews/reconciliation.ts";
import { type Command, Option } from "commander";
import { sentenceOf } from "./obstacles.ts";
import { print, printAll } from "./output.ts";
import { Refusal } from "./refusal.ts";
import { openSession, type Session } from "./session.ts";
import { tenantOption } from "./tenants.ts";
import { outcomeWords } from "./timeline.ts";
import { requireAgreement } from "./two-persons.ts";
import { ofEach, tenantsOf, whoseOption } from "./whose.ts";

export function reconciliationCommands(program: Command): void {
  const reconciliation = program.command("reconciliation").description("late or contradicting answers of rails");
  reconciliation
    .command("list")
    .description("open records, by tenant and intent")
    .addOption(whoseOption())
    .addOption(new Option("--all", "closed ones, too"))
    .action(async ({ tenant: named, all }: { tenant?: string; all?: true }, command: Command) => {
      const session = await openSession(command);
      const tenantIds = await tenantsOf(session, named);
      const records = await ofEach(tenantIds, (tenantId) => listReconciliations(session.table, tenantId));
      printAll(
        session,
        records
          .filter(({ closed }) => all === true || closed === undefined)
          .map(
            ({
              tenantId: tenant,
              intentId,
              executionId,
              kind,
              nth = 1,
              said,
              stands,
              openedAt,
              closed,
              earlier = [],
            }) => ({
              id: reconciliationId({ intentId, executionId, kind, nth }),
              ...(named === undefined && { tenant }),
              intentId,
              executionId,
              kind,
              said,
              stands,
              openedAt,
              before: earlier.map((word) => [`"${word.said}"`, ...settled(word.closed)].join(" closed ")).join("; "),
              ...(all === true && { closed: settled(closed).join() }),
            }),
          ),
      );
    });
  reconciliation
    .command("close")
    .description("closes a record with the outcome of its money, and corrects the books; list --all still shows it")
    .argument("<id>", "as listed")
    .addOption(tenantOption())
    .addOption(new Option("--as <outcome>", "of every recipient").choices(Object.keys(outcomes)))
    .addOption(new Option("--recipient <order=outcome...>", "of one recipient, such as 0=arrived").conflicts("as"))
    .action(async (id: string, options: CloseOptions, command: Command) => {
      await close(await openSession(command), id, options);
    });
}

type OutcomeOption = (typeof outcomeWords)[CorrectedOutcome];
/** An operator's findings, by the words of the command line. */
const outcomes = Object.fromEntries(Object.entries(outcomeWords).map(([outcome, word]) => [word, outcome])) as Readonly<
  Record<OutcomeOption, CorrectedOutcome>
>;

type CloseOptions = Readonly<{ tenant: string; as?: OutcomeOption; recipient?: readonly string[] }>;

async function close(session: Session, id: string, { tenant, as, recipient }: CloseOptions): Promise<void> {
  session.operation();
  const decided = as === undefined ? recipient && new Map(recipient.map(parseRecipient)) : outcomes[as];
  const planned = await planClose(session.table, tenant, id, decided);
  if (!planned.ok) throw new Refusal(sentenceOf(planned.failure));
  const { record, corrections } = planned.value;
  const found = corrections
    .map(({ recipient: { order }, outcome }) => `recipient ${order} ${outcomeWords[outcome]}`)
    .join(", ");
  await session.confirm(`Close ${id}${found === "" ? "" : ` with ${found}`}?`);
  const change = session.change("reconciliation.close", { id, ...(found !== "" && { said: record.said, found }) });
  // The agreement covers these outcomes of these recipients against the rail's word.
  if (corrections.length > 0) await requireAgreement(session, tenant, change);
  const closed = await closeWith(await session.run(), planned.value, change);
  if (closed === undefined) throw new Refusal(`There is no open record ${id}`);
  print(session, { id, ...(found !== "" && { found }), ...closed.closed });
}

function parseRecipient(text: string): readonly [number, CorrectedOutcome] {
  const [, order = "", word = ""] = /^(\d{1,6})=(.+)$/.exec(text) ?? [];
  const outcome = Object.entries(outcomes).find(([name]) => name === word)?.[1];
  if (outcome !== undefined) return [Number(order), outcome];
  throw new Refusal(`--recipient ${text} must be an order and ${Object.keys(outcomes).join(", ")}: 0=arrived`, "usage");
}

const settled = (closed: Reconciliation["closed"]): readonly string[] =>
  closed === undefined ? [] : [`${closed.at} by ${closed.by}: ${closed.reason}`];
