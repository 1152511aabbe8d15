/**
 * Every active currency of ISO 4217 List One (published 2026-01-01) by its number of minor units. Left out are metals,
 * test codes, units of account between institutions (XDR, XSU, XUA, XAD) and fund codes (BOV, CHE, CHW, COU, MXV, USN,
 * UYI). The unidad de fomento stays although ISO calls it a fund: Chilean prices and tuition are stated in it.
 */
const codesByMinorUnits: Readonly<Record<number, string>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
  2:
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP " +
    "CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES " +
    "KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK " +
    "NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB " +
    "TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW",
};

const minorUnits: ReadonlyMap<string, number> = new Map(
  Object.entries(codesByMinorUnits).flatMap(([digits, codes]) =>
    codes.split(" ").map((code) => [code, Number(digits)] as const),
  ),
);

/** The active ISO 4217 codes, in the table's order. */
export const currencyCodes: readonly string[] = [...minorUnits.keys()];

/** Digits after the decimal point by ISO 4217 (JPY 0, KWD 3), or undefined for a code that is no active currency. */
export const minorUnitsOf = (currency: string): number | undefined => minorUnits.get(currency);

export const isCurrency = (code: string): boolean => minorUnits.has(code);
