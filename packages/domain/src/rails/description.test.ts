import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { payee } from "../../test/intent-fixture.ts";
import {
  addressOf,
  corridorOf,
  findRail,
  payeesAbroad,
  pickRail,
  type RailDescription,
  servesCorridor,
} from "./description.ts";

const codes = ["AU", "BR", "DE", "DK", "GB", "NO", "SE", "US"];
const country = fc.constantFrom(...codes);
const countries = fc.uniqueArray(country, { minLength: 1 });

const railOf = (name: string, corridors: RailDescription["corridors"]) => ({
  rail: { name, address: `at ${name}`, remembersMs: 1, maxUsd: "1", questionMax: 1, corridors },
});

/** Rails with corridors of their own, and behind them one that serves all. */
const anyRails = fc
  .array(fc.array(fc.record({ from: countries, to: countries }), { maxLength: 3 }), { maxLength: 4 })
  .map((narrow) => [...narrow.map((corridors, index) => railOf(`narrow ${index}`, corridors)), railOf("all", "all")]);
const anyCorridor = fc.record({ from: country, to: fc.array(country) });

describe("pickRail", () => {
  test("takes the first rail that serves the corridor: exactly one, whatever the corridor", () => {
    fc.assert(
      fc.property(anyRails, anyCorridor, (rails, corridor) => {
        const picked = pickRail(rails, corridor);
        const before = rails.slice(0, rails.indexOf(picked));
        expect(rails).toContain(picked);
        expect(servesCorridor(picked.rail, corridor)).toBe(true);
        const isNamed = corridor.to.length > 0;
        expect(before.filter(({ rail }) => isNamed && servesCorridor(rail, corridor))).toEqual([]);
      }),
    );
  });

  test("takes the last rail as long as the corridor is not known", () => {
    fc.assert(
      fc.property(anyRails, country, (rails, from) => {
        for (const corridor of [undefined, { from, to: [] }]) expect(pickRail(rails, corridor)).toBe(rails.at(-1));
      }),
    );
  });

  test("picks one rail for all payees of a payment: one payee elsewhere leads to the rail that serves all", () => {
    const rails = [railOf("narrow", [{ from: ["NO", "SE"], to: ["US", "AU"] }]), railOf("all", "all")];
    const pickedFor = (from: string, ...to: string[]) => pickRail(rails, { from, to }).rail.name;
    expect(pickedFor("NO", "US")).toBe("narrow");
    expect(pickedFor("SE", "US", "AU")).toBe("narrow");
    expect(pickedFor("NO", "US", "BR")).toBe("all");
    expect(pickedFor("BR", "US")).toBe("all");
  });

  test("does not pair the countries of one row with those of another", () => {
    const corridors = [
      { from: ["NO"], to: ["US"] },
      { from: ["SE"], to: ["AU"] },
    ];
    const rails = [railOf("narrow", corridors), railOf("all", "all")];
    expect(pickRail(rails, { from: "NO", to: ["AU"] }).rail.name).toBe("all");
    expect(pickRail(rails, { from: "NO", to: ["US", "AU"] }).rail.name).toBe("all");
  });

  test("never picks a rail without corridors, and throws when there is no rail", () => {
    fc.assert(
      fc.property(anyCorridor, (corridor) => {
        expect(pickRail([railOf("former", []), railOf("now", "all")], corridor).rail.name).toBe("now");
      }),
    );
    expect(() => pickRail([], undefined)).toThrow("No rail is configured");
  });
});

test("findRail finds a rail only where both its name and its address match", () => {
  const rails = [railOf("one", "all"), railOf("other", "all")];
  const [one, other] = rails;
  expect(findRail(rails, { name: "other", address: "at other" })).toBe(other);
  expect(one && findRail(rails, addressOf(one.rail))).toBe(one);
  expect(findRail(rails, { name: "other", address: "at one" })).toBeUndefined();
  expect(findRail(rails, { name: "one", address: "elsewhere" })).toBeUndefined();
});

describe("a corridor", () => {
  test("names the country of every payee once", () => {
    const payees = [payee(1), payee(2, { countryCode: "CA" }), payee(3)];
    expect(corridorOf("NO", payees)).toEqual({ from: "NO", to: ["AU", "CA"] });
    expect(corridorOf("NO", [])).toEqual({ from: "NO", to: [] });
    expect(corridorOf(undefined, payees)).toBeUndefined();
  });

  test("leads neither to the tenant's own country nor to payees that do not exist", () => {
    const payees = new Map([payee(5001), payee(1001, { countryCode: "GB" })].map((known) => [known.id, known]));
    const recipients = [
      { role: "education_provider", connectorPayeeId: 5001 },
      { role: "tenant", connectorPayeeId: 1001 },
      { role: "public_payee", connectorPayeeId: 9 },
      { role: "public_payee" },
    ] as const;
    expect(payeesAbroad(recipients, payees).map(({ id }) => id)).toEqual([5001]);
    expect(payeesAbroad([{ role: "public_payee", connectorPayeeId: 1001 }], payees)).toHaveLength(1);
  });
});
