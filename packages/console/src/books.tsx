import { groupAmount } from "@intents/domain/amounts/money.ts";
import { type Frame, linkTo } from "./frame.ts";
import { Card, Command, Grid, numbers, Said } from "./parts.tsx";

export type BooksView = Readonly<{
  /** The days that were asked for. */
  days: number;
  intents: number;
  entries: number;
  /** How many payments one look verifies, and whether there were more. */
  intentsMax: number;
  hasMore: boolean;
  /** Each account in each currency; exact amounts. */
  totals: readonly Readonly<{ account: string; currency: string; debit: string; credit: string }>[];
  problems: number;
  findings: readonly Readonly<{ about: string; problem: string }>[];
  /** The command that verifies everything. */
  command: string;
}>;

export const Books = ({ frame, view }: Readonly<{ frame: Frame; view: BooksView }>) => (
  <>
    <p class={view.problems === 0 ? "verdict good" : "verdict bad"}>
      {view.problems === 0 ? "In balance" : `${view.problems} wrong`}
      <span>
        {view.intents.toLocaleString("en")} payments of the last {view.days} days, {view.entries.toLocaleString("en")}{" "}
        entries: each held against its executions and its audit
      </span>
    </p>
    {view.hasMore && (
      <p class="note">
        One look verifies the newest {view.intentsMax.toLocaleString("en")} payments; there are more. All of them:{" "}
        <Command text={view.command} />
      </p>
    )}
    {view.findings.length > 0 && (
      <Card title="What is wrong">
        <Grid
          caption="What is wrong"
          columns={["payment", "what"]}
          rows={view.findings.map(({ about, problem }) => ({
            key: `${about} ${problem}`,
            cells: [
              <a key="about" href={linkTo("intent", { tenant: frame.tenantId, id: about })}>
                {about}
              </a>,
              <Said key="problem">{problem}</Said>,
            ],
          }))}
        />
      </Card>
    )}
    {Object.entries(Object.groupBy(view.totals, ({ currency }) => currency)).map(([currency, totals = []]) => (
      <Card key={currency} title={currency}>
        <Grid
          caption={`Accounts in ${currency}`}
          columns={["account", numbers("debit"), numbers("credit")]}
          rows={totals.map(({ account, debit, credit }) => ({
            key: account,
            cells: [account, groupAmount(debit), groupAmount(credit)],
          }))}
        />
      </Card>
    ))}
    {view.totals.length === 0 && <p class="empty">Nothing was booked for these payments.</p>}
  </>
);
