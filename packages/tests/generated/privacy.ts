import { intentPrivacy } from "@intents/domain/answers/privacy.ts";
import { legPrivacy } from "@intents/domain/batches/privacy.ts";
import { commissionPrivacy } from "@intents/domain/commissions/privacy.ts";
import { linkTermsPrivacy } from "@intents/domain/links/privacy.ts";
import { type Rows, rowsIn } from "@intents/domain/privacy/erasure.ts";
import { keptData } from "@intents/domain/privacy/kept.ts";
import { railPaymentPrivacy } from "@intents/rails/sandbox/privacy.ts";
import { eventPrivacy } from "@intents/storage/events/privacy.ts";

/** The stored records that an erasure changes field by field. */
export const records: Readonly<Record<string, Rows>> = {
  "intents, stored answers of submits": intentPrivacy,
  "legs of batches": legPrivacy,
  "terms of published links": linkTermsPrivacy,
  "commissions, their copies in requests and exports": commissionPrivacy,
  events: eventPrivacy,
  "payments of the sandbox rail": railPaymentPrivacy,
};

/** The table of the places of personal data. */
export const keptTable = (): string =>
  [
    "| where | what | why | until | goes | by | in an export |",
    "|---|---|---|---|---|---|---|",
    ...keptData.map(({ place, holds, why, until, by, ...row }) => {
      const exported = row.goes === "erase" ? row.exported : "–";
      return `| ${[place, holds, why, until, row.goes, by, exported].join(" | ")} |`;
    }),
  ].join("\n");

/** The table of the personal fields of these records. */
export const fieldTable = (): string =>
  [
    "| record | fields | erasure |",
    "|---|---|---|",
    ...Object.entries(records).flatMap(([record, rows]) => {
      const personal = rowsIn(rows)
        .filter(([, row]) => row !== "not personal" && row !== "our payment id")
        .toSorted(([, one], [, other]) => Number(one.startsWith("kept")) - Number(other.startsWith("kept")));
      return [...Map.groupBy(personal, ([, row]) => row)].map(([row, fields]) => {
        const paths = fields.map(([path]) => `\`${path}\``).join(", ");
        return `| ${record} | ${paths} | ${row} |`;
      });
    }),
  ].join("\n");
