import { ERASED, eraseFrom, type Owner, type Row, type Rows, rowsIn } from "@intents/domain/privacy/erasure.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { records } from "./privacy.ts";

/** Records with texts in every field, which begin with its path, and in one more that their table does not name. */
function recordsOf(rows: Rows, above = ""): fc.Arbitrary<object> {
  const fields = Object.entries<Row | Rows>({ ...rows, unknown: "not personal" }).map(([name, row]) => {
    const path = `${above}${name}`;
    if (typeof row === "string") return [name, fc.constantFrom(path, [path, `${path} 2`], { part: path })] as const;
    const inner = recordsOf(row, `${path}.`);
    return [name, fc.oneof(inner, fc.array(inner, { minLength: 1, maxLength: 2 }))] as const;
  });
  return fc.record(Object.fromEntries(fields));
}

const textsIn = (value: unknown): string[] =>
  typeof value === "string" ? [value] : Object.values(Object(value)).flatMap(textsIn);

/** Whether a row says of its field that it stays. */
function isKept(row: Row, owners: readonly Owner[]): boolean {
  const [isErased, owner = "anybody"] = /^(?:removed|emptied|replaced)(?: with the (\w+))?/.exec(row) ?? [];
  return isErased === undefined || !owners.some((one) => one === owner);
}

test.each(Object.entries(records))("of %s exactly those texts are left whose rows say so", (_, rows) => {
  const rowOf = new Map(rowsIn(rows));
  fc.assert(
    fc.property(recordsOf(rows), fc.subarray<Owner>(["payer", "subject", "anybody"]), (record, owners) => {
      const kept = textsIn(record).filter((text) => {
        const row = rowOf.get(text.split(" ")[0] ?? "");
        return row !== undefined && isKept(row, owners);
      });
      expect(textsIn(eraseFrom<object>(record, rows, owners)).filter((text) => text !== ERASED)).toEqual(kept);
    }),
  );
});
