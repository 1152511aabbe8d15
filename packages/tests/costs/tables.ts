import { bill } from "./bill.ts";
import { budgets } from "./budgets.ts";
import { flows, hotKeys, ratePerSecond } from "./hot-keys.ts";

type Cells = readonly (string | number)[];

/** A table of Markdown, whose first column names and whose others count. */
function toTable(head: Cells, rows: readonly Cells[]): string {
  const [first, ...others] = [head, ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return [first, `|---|${"---:|".repeat(head.length - 1)}`, ...others].join("\n");
}

const budgetTable = () =>
  toTable(
    ["operation", "calls", "reads", "writes"],
    Object.entries(budgets).map(([name, { calls, reads, writes }]) => [name, calls, reads, writes]),
  );

function hotKeyTable(): string {
  const rows = hotKeys
    .map((hotKey) => ({ name: hotKey.name, rates: flows.map((flow) => ratePerSecond(hotKey, flow)) }))
    .toSorted((one, other) => Math.min(...one.rates) - Math.min(...other.rates));
  const inText = (rate: number) => (Number.isFinite(rate) ? rate.toLocaleString("en") : "");
  const head = ["partition", ...flows.map((flow) => `${flow} a second`)];
  return toTable(
    head,
    rows.map(({ name, rates }) => [name, ...rates.map(inText)]),
  );
}

function billTable(): string {
  const volumes = [1, 100, 10_000];
  const dollars = (amount: number) => amount.toFixed(amount < 9.95 ? 1 : 0);
  const head = ["USD a month, by payments a day", ...volumes.map((perDay) => perDay.toLocaleString("en"))];
  return toTable(
    head,
    bill().map(([name, usd]) => [name, ...volumes.map((perDay) => dollars(usd(perDay)))]),
  );
}

/** Each document that has a table from here, and the table. */
export const tables = (): [document: string, table: string][] => [
  ["docs/costs.md", budgetTable()],
  ["docs/costs.md", hotKeyTable()],
  ["docs/deploy.md", billTable()],
];
