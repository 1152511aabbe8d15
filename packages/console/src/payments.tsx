import type { PaymentRow } from "@intents/domain/search/payment-row.ts";
import { Chart, type ChartData } from "./chart.tsx";
import type { Frame } from "./frame.ts";
import { Card, Days, Grid, More, Status, StatusChoice } from "./parts.tsx";
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
    /** What was debited; exact amounts. */
    sums: readonly Readonly<{ currency: string; payments: number; amount: string; completed: string }>[];
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
          columns={[{ name: "status" }, { name: "payments", kind: "number" }]}
          rows={counted.map(({ status, payments }) => ({
            key: status,
            cells: [<Status key="status" status={status} />, payments.toLocaleString("en")],
          }))}
          empty=""
        />
      </Card>
    )}
    {sums.length > 0 && (
      <Card title="Debited">
        <Grid
          caption="Debited by currency"
          columns={[
            { name: "currency" },
            { name: "payments", kind: "number" },
            { name: "in all", kind: "number" },
            { name: "completed", kind: "number" },
          ]}
          rows={sums.map(({ currency, payments, amount, completed }) => ({
            key: currency,
            cells: [currency, payments.toLocaleString("en"), amount, completed],
          }))}
          empty=""
        />
      </Card>
    )}
  </>
);
