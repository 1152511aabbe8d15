import { isDecimal } from "@intents/domain/amounts/money.ts";
import { toOneSpelling } from "@intents/domain/ids.ts";
import { findCountry, findCountryByAlpha3 } from "@intents/domain/reference/countries.ts";
import { isCurrency } from "@intents/domain/reference/currency.ts";
import * as z from "zod";

// The shapes that several bodies share. Each is built on use, never at load.

/** Printable text of 1 to `max` characters: no control characters, and not blank. */
export const text = (max: number) =>
  z
    .string()
    .min(1, { error: "must not be empty", abort: true })
    .max(max, `must be at most ${max} characters`)
    .refine((value) => value.trim() !== "", { error: "must not be blank", abort: true })
    .refine((value) => !/\p{Cc}|\p{Cs}/u.test(value), "must not contain control characters");

export const NAME_MAX = 140;

export const email = () => z.email("must be an email address").max(254, "must be at most 254 characters");

/** A phone number as people write it, which nobody rewrites: spaces and signs may tell an extension or an area code. */
export const phone = () =>
  z
    .string()
    .max(40, { error: "must be at most 40 characters", abort: true })
    .regex(
      /^\(?\+?(?:[ ().-]*\d){5,20}[ ().-]*$/,
      "must be 5 to 20 digits, with spaces, hyphens, dots, brackets or a +",
    )
    .describe("5 to 20 digits as people write them, best with + and the country's code: +55 (11) 98765-4321");

export const birthday = () =>
  z.iso
    .date({ error: "must be a date, yyyy-mm-dd", abort: true })
    .refine((value) => value < new Date().toISOString().slice(0, 10), "must be in the past")
    .describe("A day in the past");

export const countryCode = () =>
  z
    .string()
    .refine((value) => findCountry(value) !== undefined, "must be an ISO 3166-1 alpha-2 country code")
    .describe("ISO 3166-1 alpha-2");

export const countryCodeAlpha3 = () =>
  z
    .string()
    .refine((value) => findCountryByAlpha3(value) !== undefined, "must be an ISO 3166-1 alpha-3 country code")
    .describe("ISO 3166-1 alpha-3");

export const currencyCode = () =>
  z.string().refine(isCurrency, "must be an ISO 4217 currency code").describe("ISO 4217");

/** An amount of an intent: a decimal string above zero. */
export const amount = () =>
  z
    .string()
    .refine(isDecimal, "must be a decimal string such as 1000.00")
    .refine((value) => !isDecimal(value) || /[1-9]/.test(value), "must be above zero")
    .describe("A decimal string above zero, in major units: 1000.00");

/** An amount of a quote or an fx-rate: a JSON number above zero that has an exact decimal form. */
export const amountNumber = () =>
  z
    .number()
    .positive({ error: "must be above zero", abort: true })
    .refine((value) => isDecimal(String(value)), "must be a plain decimal number of at most 15 digits")
    .describe("In major units");

/** Quote variants carry numeric ids; samples of the specification send them as strings, so both are taken. */
export const variantId = () =>
  z.union(
    [
      z.int(),
      z
        .string()
        .regex(/^\d{1,16}$/)
        .transform(Number),
    ],
    "must be the id of a quote variant",
  );

/** An id that the service or a rail issued. The store knows which ids exist, so that no pattern is checked. */
export const id = () => text(64).overwrite(toOneSpelling);

/** A payee id in a path. Ids have one spelling; anything else becomes NaN, which is the id of no payee. */
export const payeeId = () => z.string().transform((text) => (/^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN));

export const timestamp = () => z.iso.datetime();
