import type { Problem } from "../api/problem.ts";
import type { Variant } from "../api/wire.ts";
import type { I18n } from "../i18n.ts";
import type { EntryErrors } from "./entry.ts";
import { type DetailErrors, errorsAt } from "./payer-details.ts";

/** A refusal as the payer is told it: a text, or errors of fields, which decide the step that shows them. */
export type Explanation = Readonly<{
  text?: string;
  entry?: EntryErrors;
  limits?: Problem["limits"];
  details?: DetailErrors;
}>;

/** Explains a refusal to the payer. `nowMs` is the payer's clock, since a time is told by it. */
export function explain(problem: Problem, { t, has, moment }: I18n, nowMs: number): Explanation {
  const { kind, paths, limits, retryAfterSeconds } = problem;
  const time = moment(new Date(nowMs + retryAfterSeconds * 1000));
  if (kind === "held") return { text: `${t("heldTitle")}. ${t("heldText", { time })}` };
  if (kind === "not_called_off") return { text: t("callOffRefused", { time }) };
  if (kind === "country" || paths.includes("payerCountryCode")) return { entry: { country: "countryRefused" } };
  if (paths.includes("amount")) return { entry: { amount: limits ? "amountLimits" : "amountRefused" }, limits };
  // A document is the only thing that a payer names by an id.
  if (kind === "not_found") return { details: { document: "documentGone" } };
  const details = errorsAt(paths);
  // Kinds that are told by a text of their own have its name.
  return Object.keys(details).length > 0 ? { details } : { text: t(has(kind) ? kind : "fault", { time }) };
}

/** Tells why nothing could be heard of something that the page goes on asking about. */
export const sayUnheard = (problem: Problem, i18n: I18n, nowMs: number): string | undefined =>
  problem.kind === "paused" ? explain(problem, i18n, nowMs).text : i18n.t("statusOffline");

/** Explains a new quote to a payer who had chosen `before`; undefined when it lacks that method. */
export function sayRenewed(
  before: Variant | undefined,
  after: Variant | undefined,
  { t, money }: I18n,
): string | undefined {
  if (!before) return "";
  if (!after?.isWithinLimits) return undefined;
  const prices = {
    total: money(after.fromAmount, after.fromCurrency),
    before: money(before.fromAmount, before.fromCurrency),
  };
  return t(prices.total === prices.before ? "quoteRenewed" : "quoteChanged", prices);
}
