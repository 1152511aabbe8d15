import { groupAmount } from "@intents/domain/amounts/money.ts";
import type { MoneyByState } from "@intents/domain/money-state/money-state.ts";
import type { PaymentRow } from "@intents/domain/search/payment-row.ts";
import { type Fact, Facts } from "@intents/payer-app/parts.tsx";
import { type Frame, linkTo } from "./frame.ts";
import { type Act, Acts, Card, Grid, numbers, Said, Status, When } from "./parts.tsx";
import { MoneyOf, PersonIn, textOf } from "./payment-grid.tsx";

/** An event in the life of an intent, past or expected, with what was booked by it. */
type Moment = Readonly<{ at: string; what: string; who: string; detail: string; booked?: Posting }>;
type Posting = Readonly<{ debit: string; credit: string; amount: string; currency: string }>;

export type IntentView = Readonly<{
  row: PaymentRow;
  /** Facts beside the row. */
  facts: readonly Readonly<{ name: string; value: string }>[];
  /** Other payments that belong to this one. */
  related: readonly Readonly<{ name: string; id: string }>[];
  /** When the page was read: what comes later is expected. */
  readAt: string;
  moments: readonly Moment[];
  /** The moments that are left out, in the middle of very long stories. */
  left: number;
  totals: readonly Readonly<{ account: string; currency: string; debit: string; credit: string }>[];
  legs: readonly Readonly<{ order: number; payee: string; money: MoneyByState; status: string; reason?: string }>[];
  legCount: number;
  acts: readonly Act[];
}>;

export const Intent = ({ frame, view }: Readonly<{ frame: Frame; view: IntentView }>) => (
  <>
    <section class="card summary-facts" aria-label="Summary">
      <Facts kind="rows" facts={factsOf(frame, view)} />
    </section>
    <Card title="Timeline">
      {view.left > 0 && <p class="note">{view.left} events in between are not drawn.</p>}
      <ol class="timeline">
        {view.moments.map((moment, index) => (
          <li key={index} class={kindOf(moment, view.readAt)}>
            <When at={moment.at} />
            {moment.booked === undefined ? (
              <Event {...moment} />
            ) : (
              <Booked posting={moment.booked} event={moment.what} />
            )}
          </li>
        ))}
      </ol>
    </Card>
    {view.totals.length > 0 && (
      <Card title="What was booked">
        <Grid
          caption="Sums by account"
          columns={["account", "currency", numbers("debit"), numbers("credit")]}
          rows={view.totals.map(({ account, currency, debit, credit }) => ({
            key: `${account} ${currency}`,
            cells: [account, currency, groupAmount(debit), groupAmount(credit)],
          }))}
        />
      </Card>
    )}
    {view.legs.length > 0 && (
      <Card title="Recipients">
        {view.legCount > view.legs.length && (
          <p class="note">
            The first {view.legs.length} of {view.legCount}. All of them: <code>operator intents show</code>
          </p>
        )}
        <Grid
          caption="Recipients of the batch"
          columns={[numbers("order"), "payee", numbers("money, for the payee"), "status", "reason"]}
          rows={view.legs.map(({ order, payee, money, status, reason }) => ({
            key: `${order}`,
            cells: [
              order,
              <Said key="payee">{payee}</Said>,
              <MoneyOf key="money" money={money} />,
              <Status key="status" status={status} />,
              <Said key="why">{reason}</Said>,
            ],
          }))}
        />
      </Card>
    )}
    <Acts title="What can be done" acts={view.acts} />
  </>
);

function factsOf({ tenantId }: Frame, { row, facts, related }: IntentView): Fact[] {
  const { payer, student, payees, paymentIds, references, externalIds, rail, railPaymentId } = row;
  return [
    ["Id", <code key="id">{row.id}</code>],
    ["Status", <Status key="status" status={row.status} />],
    ["Money", <MoneyOf key="money" money={row.money} />],
    ["Payer", <PersonIn key="payer" {...payer} />],
    ["Student", student && <PersonIn key="student" {...student} />],
    ["Payee", payees.length > 0 && <Said key="payee">{payees.join(", ")}</Said>],
    ["Bank reference", paymentIds.join(", ")],
    ["References", references.length > 0 && <Said key="references">{references.join(", ")}</Said>],
    ["Tenant's own ids", externalIds.length > 0 && <Said key="own">{externalIds.join(", ")}</Said>],
    ...Object.entries(row.metadata ?? {}).map(([key, note]): Fact => [`Note: ${key}`, <Said key={key}>{note}</Said>]),
    ["Rail", [rail, railPaymentId].filter(Boolean).join(", ")],
    ["Scenario", `${row.useCase}, ${row.deliveryMode}`],
    ["Created", <When key="created" at={row.createdAt} />],
    ["Changed", <When key="changed" at={row.updatedAt} />],
    ...facts.map(({ name, value }): Fact => [name, value && <Said key={name}>{value}</Said>]),
    ...related.map(
      (other): Fact => [
        other.name,
        <a key={other.id} href={linkTo("intent", { tenant: tenantId, id: other.id })}>
          {other.id}
        </a>,
      ],
    ),
  ].filter(([, value]) => Boolean(value)) as Fact[];
}

function kindOf({ at, what, booked }: Moment, readAt: string): string {
  if (at > readAt) return "expected";
  if (booked !== undefined) return "posting";
  return /fail|reject|recovery|reconciliation (opened|changed)|lost/.test(what) ? "event bad" : "event";
}

const Event = ({ what, who, detail }: Moment) => (
  <div>
    <b>{what.replaceAll("_", " ")}</b> <span class="who">{who}</span>
    {detail !== "" && (
      <p class="detail">
        <Said>{detail}</Said>
      </p>
    )}
  </div>
);

const Booked = ({
  posting: { debit, credit, amount, currency },
  event,
}: Readonly<{ posting: Posting; event: string }>) => (
  <div class="booked">
    <span>
      <span class="account">{debit}</span>
      <span aria-hidden="true"> → </span>
      <span class="hidden"> debited, credited to </span>
      <span class="account">{credit}</span>
    </span>
    <span class="event-of">{event.replace("ledger ", "")}</span>
    <b>{textOf({ amount, currency })}</b>
  </div>
);
