import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { describeMoney } from "@intents/domain/money-state/describe-money.ts";
import { holdBatch, resumeBatch } from "@intents/execution/operations/batch.ts";
import { releaseLinkByHand } from "@intents/execution/operations/link.ts";
import type { Obstacle } from "@intents/execution/operations/obstacle.ts";
import type { Operated, Operation, RailPaymentIds, Resolution } from "@intents/execution/operations/operation.ts";
import {
  cancelIntent,
  loseTrackOfIntent,
  resolveIntent,
  whyNotResolved,
} from "@intents/execution/operations/payment.ts";
import type { Run } from "@intents/execution/run.ts";
import { operatorAudit } from "@intents/storage/audit/operators.ts";
import { findIntent } from "@intents/storage/intents/intents.ts";
import { findMoneyFacts } from "@intents/storage/reviews/money-facts.ts";
import { transact } from "@intents/storage/table/transact.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { sentenceOf } from "./obstacles.ts";
import { print } from "./output.ts";
import { Refusal } from "./refusal.ts";
import { openSession, type Session } from "./session.ts";
import { tenantOption } from "./tenants.ts";
import { requireAgreement } from "./two-persons.ts";

/** The argument that names a payment. */
export const intentId = ["<id>", "the id of its intent"] as const;

type TenantOption = Readonly<{ tenant: string }>;
type Apply = (run: Run, operation: Operation) => Promise<Operated>;

type Simple = Readonly<{ name: string; says: string; apply: Apply }>;

const simple: readonly Simple[] = [
  {
    name: "cancel",
    says: "cancels a draft; a payment, if the rail can still stop it; or the unpaid recipients of a batch",
    apply: cancelIntent,
  },
  { name: "hold", says: "stops a batch: recipients that are not paid yet wait until you resume it", apply: holdBatch },
  { name: "resume", says: "continues a held batch", apply: resumeBatch },
  {
    name: "lose-track",
    says: "marks an executing payment as requires_recovery, for a person to look into; holds a batch",
    apply: loseTrackOfIntent,
  },
];

/** The commands by which an operator changes a link by hand. */
export function linkCommands(program: Command): void {
  const links = program.command("links").description("payment links, by the ids of their intents");
  const says = "frees a held single-use link, if the rail cancels the payment that holds it";
  operationCommand(links, { name: "release", of: "links", says, apply: releaseLinkByHand });
}

/** The commands by which an operator changes a payment by hand. */
export function operationCommands(intents: Command): void {
  for (const one of simple) operationCommand(intents, { of: "intents", ...one });
  intents
    .command("resolve")
    .description("records the outcome of a payment in requires_recovery, after you have asked the rail")
    .argument(...intentId)
    .addOption(tenantOption())
    .addOption(new Option("--as <status>", "how it stands").choices(outcomes).makeOptionMandatory())
    .addOption(clearedOption())
    .addOption(railPaymentOption())
    .action(async (id: string, { tenant, ...outcome }: TenantOption & Outcome, command: Command) => {
      const session = await openSession(command);
      const resolution = toResolution(outcome);
      const asked = {
        name: "resolve",
        of: "intents",
        tenantId: tenant,
        intentId: id,
        outcome,
        whyNot: (run: Run, operation: Operation) => whyNotResolved(run, operation, resolution),
      };
      await operate(session, asked, (run, operation) => resolveIntent(run, operation, resolution));
    });
}

function operationCommand(group: Command, { name, of, says, apply }: Simple & Readonly<{ of: string }>): void {
  group
    .command(name)
    .description(says)
    .argument(...intentId)
    .addOption(tenantOption())
    .action(async (id: string, { tenant }: TenantOption, command: Command) => {
      await operate(await openSession(command), { name, of, tenantId: tenant, intentId: id }, apply);
    });
}

type Change = Readonly<{
  name: string;
  of: string;
  tenantId: string;
  intentId: string;
  outcome?: Outcome;
  /** Of what a second person has to agree to, where the stage asks for that: why it cannot happen. */
  whyNot?: (run: Run, operation: Operation) => Promise<Obstacle | undefined>;
}>;

/** The operators' audit gets the request before the rail is asked; the intent's own gets the outcome (Decision 022). */
async function operate(
  session: Session,
  { name, of, tenantId, intentId, outcome, whyNot }: Change,
  apply: Apply,
): Promise<void> {
  const { table } = session;
  const operation = { tenantId, intentId, ...session.operation() };
  const intent = await getIntent(session, tenantId, intentId);
  const { status: before } = intent;
  const run = await session.run();
  const isReceived = name === "cancel" && (await hasMoney(session, intent));
  const stands = isReceived ? `${before}, and whose payer's money came in` : before;
  await session.confirm(`${name} intent ${intentId}, which is ${stands}?`);
  const asked = () => session.change(`${of}.${name}`, { intentId, ...outcome });
  if (whyNot) await requireAgreement(session, tenantId, asked(), () => whyNot(run, operation));
  else if (isReceived) await requireAgreement(session, tenantId, asked());
  const entry = operatorAudit(table, tenantId, asked());
  await transact(table, () => [entry]);
  const operated = await apply(run, operation);
  if (!operated.ok) throw new Refusal(sentenceOf(operated.failure));
  const { id, status, updatedAt } = operated.value;
  const note = "the payer's money came in, and is owed back";
  print(session, { id, before, status, updatedAt, ...(isReceived && status === "cancelled" && { note }) });
}

/** Whether the rail has told that money of the payer's came in which is not delivered yet. */
async function hasMoney({ table }: Session, intent: PaymentIntent): Promise<boolean> {
  const [{ legs, corrections } = { legs: [], corrections: [] }] = await findMoneyFacts(table, [intent]);
  return describeMoney(intent, { legs, corrections, payees: new Map() }).some(({ state }) => state === "received");
}

const outcomes = ["executing", "completed", "partially_completed", "failed", "cancelled"] as const;
type Outcome = Readonly<{
  as: (typeof outcomes)[number];
  cleared?: readonly number[];
  railPayment?: readonly string[];
}>;

function toResolution({ as, cleared, railPayment = [] }: Outcome): Resolution {
  const { railPaymentId, railPaymentIds } = toRailPayments(railPayment);
  if ((as === "partially_completed") !== (cleared !== undefined)) {
    throw new Refusal("--cleared says who was paid of a partially_completed payment, and of no other", "usage");
  }
  if (as !== "executing" && (railPaymentId !== undefined || (as === "cancelled" && railPaymentIds.size > 0))) {
    throw new Refusal("--rail-payment <id> goes with --as executing, and <order>=<id> with all but cancelled", "usage");
  }
  switch (as) {
    case "executing":
      return { as, railPaymentIds, ...(railPaymentId !== undefined && { railPaymentId }) };
    case "cancelled":
      return { as };
    case "completed":
      return { as: "settled", cleared: "all", railPaymentIds };
    case "failed":
    case "partially_completed":
      return { as: "settled", cleared: cleared ?? [], railPaymentIds };
  }
}

/** The rail's ids as they were given: one of a payment, or `<order>=<id>` for recipients of a batch. */
function toRailPayments(given: readonly string[]): { railPaymentId?: string; railPaymentIds: RailPaymentIds } {
  const pairs = given.flatMap((text) => {
    const [, order, id = ""] = /^(\d{1,9})=(.+)$/.exec(text) ?? [];
    return order === undefined ? [] : [[Number(order), id] as const];
  });
  const single = given.find((text) => !/^\d{1,9}=/.test(text));
  return { railPaymentIds: new Map(pairs), ...(single !== undefined && { railPaymentId: single }) };
}

const railPaymentOption = () =>
  new Option(
    "--rail-payment <id...>",
    "the rail's own id where the rail never told it; of recipients of a batch, each as <order>=<id>",
  );

const clearedOption = () =>
  new Option("--cleared <orders>", "with partially_completed: orders of the paid recipients, such as 0,2").argParser(
    (value: string) => {
      if (/^\d{1,4}(,\d{1,4})*$/.test(value)) return value.split(",").map(Number);
      throw new InvalidArgumentError("numbers with commas between, such as 0,2");
    },
  );

/** The intent with this id. Refuses an id that does not exist, or that is another tenant's. */
export async function getIntent({ table }: Session, tenantId: string, id: string): Promise<PaymentIntent> {
  const found = await findIntent(table, tenantId, id);
  if (!found.ok) throw new Refusal(`Tenant ${tenantId} has no intent ${id}`);
  return found.value;
}
