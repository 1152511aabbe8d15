import { groupAmount } from "@intents/domain/amounts/money.ts";
import { type MoneyState, moneyStates } from "@intents/domain/money-state/money-state.ts";
import type { PaymentRow } from "@intents/domain/search/payment-row.ts";
import { Chart, type ChartData } from "./chart.tsx";
import type { Frame } from "./frame.ts";
import { Card, Days, Grid, More, numbers, Status, StatusChoice } from "./parts.tsx";
import { PaymentGrid } from "./payment-grid.tsx";

export type PaymentsView = Readonly<{
  /** How far back the charts go. */
  days: number;
  charts?: Readonly<{
    /** How many payments are drawn, and whether there were more in that time. */
    drawn: number;
    hasMore: boolean;
    all: readonly ChartData[];
    /** All payments there are, whenever they were made. */
    counted: readonly Readonly<{ status: string; payments: number }>[];
    /** Where the money of the drawn payments is; exact amounts. */
    sums: readonly Readonly<{
      currency: string;
      side: "payer" | "fee" | "payee";
      byState: Readonly<Partial<Record<MoneyState, string>>>;
    }>[];
  }>;
  status?: string | undefined;
  statuses: readonly string[];
  rows: readonly PaymentRow[];
  older?: string | undefined;
}>;

export const Payments = ({ frame, view }: Readonly<{ frame: Frame; view: PaymentsView }>) => (
  <>
    <form class="filters" action="payments">
      <input type="hidden" name="tenant" value={frame.tenantId} />
      <Days days={view.days} />
      <StatusChoice label="Status of the list" {...view} />
    </form>
    {view.charts !== undefined && <Charts {...view.charts} />}
    <Card title={view.charts === undefined ? "Older payments" : "Newest payments"}>
      <PaymentGrid rows={view.rows} empty="There is none." />
      <More to={view.older} />
    </Card>
  </>
);

const Charts = ({ drawn, hasMore, all, sums, counted }: NonNullable<PaymentsView["charts"]>) => (
  <>
    {hasMore && (
      <p class="note">
        The charts show the newest {drawn.toLocaleString("en")} payments of this time; there are more. A shorter time
        shows all of its own.
      </p>
    )}
    <div class="charts">
      {all.map((chart) => (
        <Chart key={chart.id} {...chart} />
      ))}
    </div>
    {counted.length > 0 && (
      <Card title="All there are">
        <Grid
          caption="All payments by status, whenever they were made"
          columns={["status", numbers("payments")]}
          rows={counted.map(({ status, payments }) => ({
            key: status,
            cells: [<Status key="status" status={status} />, payments.toLocaleString("en")],
          }))}
        />
      </Card>
    )}
    {sums.length > 0 && (
      <Card title="Where the money is">
        <Grid
          caption="Sums by currency, side and state"
          columns={["currency", "side", ...moneyStates.map(numbers)]}
          rows={sums.map(({ currency, side, byState }) => ({
            key: `${currency} ${side}`,
            cells: [currency, side, ...moneyStates.map((state) => amountOf(byState[state]))],
          }))}
        />
      </Card>
    )}
  </>
);

const amountOf = (amount: string | undefined): string => (amount === undefined ? "" : groupAmount(amount));
