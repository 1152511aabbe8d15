import { createHash } from "node:crypto";
import type { TransactionBankDetails } from "@intents/domain/rails/rail.ts";

/** The bank at which payers deposit; `institution` is the four letters that its BICs begin with. */
export type DepositBank = Readonly<{ beneficiaryName: string; bankName: string; institution: string }>;

// A location code whose second character is 0 marks a test BIC (ISO 9362), so that no real bank is ever named.
const GERMAN_TEST_BRANCH = "DEF0";
const BRITISH_TEST_BRANCH = "GB20";

/**
 * The account for a sandbox transfer: made up from `seed`, always the same for the same seed, with valid check digits.
 * Its fields depend on the payer's ISO 4217 currency (DESIGN 17, Payments).
 */
export function toBankDetails(
  { beneficiaryName, bankName, institution }: DepositBank,
  seed: string,
  payerCurrency: string,
): TransactionBankDetails {
  const digits = digitsOf(seed);
  const accountNumber = digits.slice(0, 9);
  const routing = routingOf(payerCurrency, accountNumber, digits.slice(9), institution);
  return { beneficiaryName, bankName, accountNumber, ...routing };
}

function routingOf(
  currency: string,
  accountNumber: string,
  digits: string,
  institution: string,
): Partial<TransactionBankDetails> {
  switch (currency) {
    case "AUD":
      return { bsb: `${digits.slice(0, 3)}-${digits.slice(3, 6)}` };
    case "USD":
      // 01 to 12 are the districts of the Federal Reserve; any of them is a legal prefix.
      return { aba: withAbaCheckDigit(`01${digits.slice(0, 6)}`) };
    case "EUR":
      return {
        iban: toGermanIban(digits.slice(0, 8), accountNumber.padStart(10, "0")),
        swift: institution + GERMAN_TEST_BRANCH,
      };
    default:
      return { swift: institution + BRITISH_TEST_BRANCH };
  }
}

/** Routing numbers weigh their digits 3, 7, 1 in turn to a multiple of ten. */
function withAbaCheckDigit(eight: string): string {
  const sum = [...eight].reduce((total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] ?? 0), 0);
  return `${eight}${(10 - (sum % 10)) % 10}`;
}

/** ISO 13616: the check digits leave 1 modulo 97 once the country (D = 13, E = 14) is moved to the end. */
function toGermanIban(bankCode: string, accountNumber: string): string {
  const check = 98n - (BigInt(`${bankCode}${accountNumber}131400`) % 97n);
  return `DE${String(check).padStart(2, "0")}${bankCode}${accountNumber}`;
}

/** Twenty decimal digits that only `seed` decides. */
const digitsOf = (seed: string): string =>
  (BigInt(`0x${createHash("sha256").update(seed).digest("hex")}`) % 10n ** 20n).toString().padStart(20, "0");
