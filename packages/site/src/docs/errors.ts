import { type ErrorName, errorTable } from "@intents/contract/errors.ts";
import { type FaultName, faultTable } from "@intents/contract/faults.ts";
import { payerAdvice } from "@intents/contract/payer-advice.ts";
import { errorCauses } from "./error-causes.ts";

type Row = Readonly<{
  status: number;
  code?: string;
  message: string;
  next: string;
  bindsKey?: boolean;
  retry?: "told" | "later";
}>;
type Known = Row & Readonly<{ name: ErrorName | FaultName }>;

const rows: readonly Known[] = [...Object.entries({ ...faultTable, ...errorTable })].map(([name, row]) => ({
  ...(row as Row),
  name: name as ErrorName | FaultName,
}));

/** The heading of an error: its code, or, where it has none, its name in the table. */
const titleOf = ({ code, name }: Known): string => code ?? name.replaceAll("_", " ");

/** Every error of the table as a section of Markdown, those of one code together, by status. */
export function errorSections(): string {
  const sections = Map.groupBy(
    rows.toSorted((one, other) => one.status - other.status),
    titleOf,
  );
  return [...sections].map(([title, known]) => [`### ${title}`, ...known.map(toMarkdown)].join("\n\n")).join("\n\n");
}

function toMarkdown(row: Known): string {
  const { status, message, next, name } = row;
  const forPayers = payerAdvice[name as ErrorName];
  return [
    ...[`**${status}: ${message}**`, "", `- Cause: ${errorCauses[name]}`, `- Do: ${next}`],
    ...(forPayers === undefined ? [] : [`- A payer of a link: ${forPayers}`]),
    `- ${againOf(row)}`,
  ].join("\n");
}

function againOf({ bindsKey, retry }: Row): string {
  if (retry === "told") return "The same request, by the same key, may be sent again when `Retry-After` says.";
  if (retry === "later") return "The same request, by the same key, may be sent again later.";
  return bindsKey === true
    ? "The `Idempotency-Key` is bound to it: use a new one."
    : "This answer does not bind the `Idempotency-Key`.";
}
