import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sandboxBank } from "./bank.ts";
import { toBankDetails } from "./bank-details.ts";
import { sandbox } from "./terms.ts";

const { bank } = sandbox;

const isValidIban = (iban: string): boolean => {
  const moved = iban.slice(4) + iban.slice(0, 4);
  return BigInt(moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))) % 97n === 1n;
};

describe("toBankDetails", () => {
  test.each([
    ["AUD", ["bsb"]],
    ["USD", ["aba"]],
    ["EUR", ["iban", "swift"]],
    ["JPY", ["swift"]],
  ])("a deposit in %s names the account and %s, and nothing else", (currency, fields) => {
    const always = ["beneficiaryName", "bankName", "accountNumber"];
    expect(Object.keys(toBankDetails(bank, "seed", currency)).toSorted()).toEqual([...always, ...fields].toSorted());
  });

  test.each(["AUD", "USD", "EUR", "JPY"])("a deposit in %s at another rail is made at another bank", (currency) => {
    const [one, other] = [bank, sandboxBank.bank].map((at) => toBankDetails(at, "seed", currency));
    expect(other?.bankName).not.toBe(one?.bankName);
    expect(other?.beneficiaryName).not.toBe(one?.beneficiaryName);
    if (one?.swift !== undefined) expect(other?.swift).not.toBe(one.swift);
  });

  test("the known valid IBAN of the ISO 13616 registry passes the check used here", () => {
    expect(isValidIban("DE89370400440532013000")).toBe(true);
    expect(isValidIban("DE88370400440532013000")).toBe(false);
  });

  test("every number has its length and its check digits, and depends on the seed alone", () => {
    fc.assert(
      fc.property(fc.string(), (seed) => {
        const { iban = "", swift, accountNumber } = toBankDetails(bank, seed, "EUR");
        expect(iban).toMatch(/^DE\d{20}$/);
        expect(isValidIban(iban)).toBe(true);
        expect(swift).toMatch(/^[A-Z]{6}[A-Z2-9][A-NP-Z0-9]$/);
        expect(accountNumber).toMatch(/^\d{9}$/);
        const { aba = "" } = toBankDetails(bank, seed, "USD");
        expect(aba).toMatch(/^\d{9}$/);
        expect([...aba].reduce((sum, digit, index) => sum + Number(digit) * Number("371"[index % 3]), 0) % 10).toBe(0);
        expect(toBankDetails(bank, seed, "AUD").bsb).toMatch(/^\d{3}-\d{3}$/);
        expect(toBankDetails(bank, seed, "EUR")).toEqual(toBankDetails(bank, seed, "EUR"));
      }),
    );
  });
});
