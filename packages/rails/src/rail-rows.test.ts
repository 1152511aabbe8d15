import { referenceRates } from "@intents/domain/amounts/exchange-rates.ts";
import { Exact } from "@intents/domain/amounts/money.ts";
import { DAY_MS } from "@intents/domain/durations.ts";
import { methodsFrom } from "@intents/domain/quotes/payment-methods.ts";
import { priceQuote } from "@intents/domain/quotes/pricing.ts";
import { corridorOf, pickRail, servesCorridor } from "@intents/domain/rails/description.ts";
import { countries } from "@intents/domain/reference/countries.ts";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { railRows, toTerms } from "./rail-rows.ts";

/** The rows as they are, which other tests do not see. */
const { realRails } = await vi.importActual<typeof import("@intents/deployment/real-rails.ts")>(
  "@intents/deployment/real-rails.ts",
);

const codes = countries.map(({ countryCode }) => countryCode);
const NORDIC = ["DK", "NO", "SE"];
const ABROAD = ["AU", "CA", "DE", "GB", "IE", "NZ", "US"];
/** Half of the countries are from the corridors of sandbox-bank, so that neither rail comes up rarely. */
const country = fc.oneof(fc.constantFrom(...codes), fc.constantFrom(...NORDIC, ...ABROAD));
const anyCorridor = fc.record({ from: country, to: fc.array(country, { maxLength: 5 }) });
const sets = Object.entries({ ...railRows, http: realRails.map(toTerms) });
const rails = sets.flatMap(([connector, rows]) =>
  rows.map(({ rail }) => [`${connector}: ${rail.name}`, rail] as const),
);

describe.each(sets)("with CONNECTOR=%s", (_, rows) => {
  test("every corridor has exactly one rail, the first that serves it", () => {
    fc.assert(
      fc.property(anyCorridor, ({ from, to }) => {
        const corridor = corridorOf(
          from,
          to.map((countryCode) => ({ countryCode })),
        );
        const { rail } = pickRail(rows, corridor);
        const serving = rows.filter((row) => corridor && servesCorridor(row.rail, corridor));
        expect(rail).toBe(to.length === 0 ? rows.at(-1)?.rail : serving[0]?.rail);
      }),
    );
  });

  test("the last rail serves every corridor", () => {
    expect(rows.at(-1)?.rail.corridors).toBe("all");
  });
});

test("sandbox-bank is picked for every payment within its corridors, and for no other", () => {
  const isOwn = (from: string, to: readonly string[]) =>
    NORDIC.includes(from) && to.length > 0 && to.every((one) => NORDIC.includes(one) || ABROAD.includes(one));
  const seen = new Set<boolean>();
  fc.assert(
    fc.property(anyCorridor, ({ from, to }) => {
      seen.add(isOwn(from, to));
      const expected = isOwn(from, to) ? "sandbox-bank" : "sandbox";
      expect(pickRail(railRows.sandbox, { from, to }).rail.name).toBe(expected);
    }),
    { numRuns: 1000 },
  );
  expect(seen.size).toBe(2);
});

describe.each(rails)("the description of %s", (_, rail) => {
  test("asks about no more payments at once than the contract allows", () => {
    expect(rail.questionMax).toBeGreaterThanOrEqual(1);
    expect(rail.questionMax).toBeLessThanOrEqual(100);
  });

  test("promises to remember a day less than the rail keeps, which is 30 days at least where the contract binds it", () => {
    const row = railRows.sandbox.find((terms) => terms.rail === rail);
    const keptMs = rail.remembersMs + DAY_MS;
    if (row === undefined) expect(keptMs).toBeGreaterThanOrEqual(30 * DAY_MS);
    else expect(keptMs).toBe(row.retentionMs ?? 30 * DAY_MS);
  });

  test("names countries that exist and have a rail", () => {
    const named = rail.corridors === "all" ? [] : rail.corridors.flatMap(({ from, to }) => [...from, ...to]);
    expect(named.filter((code) => methodsFrom(code).length === 0)).toEqual([]);
  });

  // SPEC, Limits; DESIGN 17, Quotes.
  test("lets a bank transfer send a million dollars, and a card ten thousand, from wherever it serves", () => {
    const to = rail.corridors === "all" ? "US" : rail.corridors[0]?.to[0];
    // A rail that takes nothing new serves nobody.
    if (to === undefined) return;
    const from = codes.filter((code) => methodsFrom(code).length > 0 && servesCorridor(rail, { from: code, to: [to] }));
    expect(from).not.toEqual([]);
    const currencyCode = countries.find(({ countryCode }) => countryCode === to)?.currencies[0] ?? "";
    const payee = { id: 1, name: "School", countryCode: to, currencyCode, createdAt: "" };
    const terms = { paymentType: "provider", tenantId: "1001", commissionSpread: "0", rail } as const;
    for (const countryCode of from) {
      const request = { ...terms, countryCode, payouts: [{ payee, amount: "100" }] };
      const priced = priceQuote(request, referenceRates, () => 0);
      const [bank, card] = priced.ok ? priced.value.variants : [];
      const perUsd = new Exact(referenceRates.marketRate("USD", bank?.fromCurrency ?? "") ?? "0");
      expect(new Exact(bank?.maxAmount ?? "0").gte(perUsd.times("1000000")), countryCode).toBe(true);
      expect(new Exact(card?.maxAmount ?? "0").gte(perUsd.times("10000")), countryCode).toBe(true);
      // The limit is rounded outwards to the minor unit, which in no currency is worth a dollar.
      expect(new Exact(bank?.maxAmount ?? "0").lte(perUsd.times(rail.maxUsd).plus("1")), countryCode).toBe(true);
    }
  });
});

test("no two rails share a name, a key space, or the place of an address and a secret", () => {
  const names = rails.map(([, { name }]) => name);
  for (const named of [names, railRows.sandbox.map((row) => row.keySpace), realRails.map(({ place }) => place)])
    expect(new Set(named).size).toBe(named.length);
  // Settings tell a name from an address by its first sign of equality.
  for (const named of [...names, ...realRails.map(({ place }) => place)])
    expect(named).toMatch(/^[a-z][a-z\d-]{0,39}$/);
});
