import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { storedIntent } from "../../test/intent-fixture.ts";
import { payerRoles } from "../scenarios/scenario.ts";
import { payerKeyOf } from "./payer-key.ts";

/** Stands for a digest, and stays readable in a failure. */
const digestOf = (text: string) => `<${text}>`;
const keyOf = (payer: object, details: object) =>
  payerKeyOf(storedIntent({ payer: { role: "agent", ...payer } }), details, digestOf);

describe("who pays, to the rail's duplicate check,", () => {
  test.each([
    ["is the saved party", { partyId: "p1", details: { email: "A@b.example" } }, { email: "A@b.example" }, "p1"],
    ["else the email, whatever its case", {}, { email: "A@B.example", firstName: "Ana" }, "a@b.example"],
    ["else the tenant, where the tenant pays", { role: "tenant" }, { companyName: "Own Ltd" }, "1001"],
    ["else what is known of the payer", {}, { firstName: "Ana" }, 'details:<[["firstName","ana"]]>'],
  ])("%s", (_, payer, details, key) => {
    expect(keyOf(payer, details)).toBe(key);
  });

  test("is the tenant for nobody but the tenant", () => {
    const keys = payerRoles.filter((role) => role !== "tenant").map((role) => keyOf({ role }, {}));
    expect(keys).not.toContain("1001");
  });

  const details = fc.record({
    firstName: fc.constantFrom("Ana", "Bruno", "ANA"),
    lastName: fc.constantFrom("Silva", "Souza"),
    city: fc.option(fc.constantFrom("Recife", "Zoë"), { nil: undefined }),
  });
  const defined = (fields: object) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const meaning = (fields: object) => JSON.stringify(Object.entries(defined(fields)).toSorted()).toLowerCase();

  test("differs for strangers with different details, whatever their order and letter case", () => {
    fc.assert(
      fc.property(details, details, (one, other) => {
        const same = meaning(one) === meaning(other);
        expect(keyOf({}, defined(one)) === keyOf({}, defined(other))).toBe(same);
        const turned = Object.fromEntries(Object.entries(defined(one)).toReversed());
        expect(keyOf({}, turned)).toBe(keyOf({}, defined(one)));
      }),
    );
  });
});
