import { getCountryDataList } from "countries-list";
import { isCurrency } from "./currency.ts";

/** A country of ISO 3166-1. `currencies[0]` is the one that payments from there are made in. */
export type Country = Readonly<{
  countryCode: string;
  alpha3: string;
  name: string;
  currencies: readonly [string, ...string[]];
}>;

/** Codes of the source list that ISO 3166-1 reserves or leaves to users: Ascension, Tristan da Cunha, Kosovo. */
const unassigned: ReadonlySet<string> = new Set(["AC", "TA", "XK"]);

/** The currencies in use where the source list is wrong: as of 2026, by ISO 4217 and the central banks. */
const corrections: Readonly<Record<string, Country["currencies"]>> = {
  // Antarctica has no currency of its own; its stations settle in dollars.
  AQ: ["USD"],
  // The unidad de fomento in the source list is a unit of account.
  CL: ["CLP"],
  // The balboa exists as coins only: accounts and transfers are in dollars.
  PA: ["USD", "PAB"],
  // The colón is legal tender, and has not been issued since 2001.
  SV: ["USD"],
  // The source also lists seven currencies that have no accounts there any more.
  ZW: ["ZWG", "USD"],
};

/** The 249 countries with an officially assigned ISO 3166-1 code, by alpha-2. */
export const countries: readonly Country[] = getCountryDataList()
  .filter(({ iso2 }) => !unassigned.has(iso2))
  .map(({ iso2, iso3, name, currency }) => ({
    countryCode: iso2,
    alpha3: iso3,
    name,
    currencies: corrections[iso2] ?? inUse(iso2, currency),
  }));

const byAlpha2: ReadonlyMap<string, Country> = new Map(countries.map((country) => [country.countryCode, country]));
const byAlpha3: ReadonlyMap<string, Country> = new Map(countries.map((country) => [country.alpha3, country]));

/** The country of an ISO 3166-1 alpha-2 code, which is upper case. */
export const findCountry = (alpha2: string): Country | undefined => byAlpha2.get(alpha2);

/** The country of an ISO 3166-1 alpha-3 code, which is upper case. */
export const findCountryByAlpha3 = (alpha3: string): Country | undefined => byAlpha3.get(alpha3);

/** The currencies of a country that are money: the source list also names fund codes such as CHE and USN. */
function inUse(countryCode: string, listed: readonly string[]): Country["currencies"] {
  const [main, ...others] = listed.filter(isCurrency);
  if (main === undefined) throw new Error(`No currency is known for ${countryCode}`);
  return [main, ...others];
}
