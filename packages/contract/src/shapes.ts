import { isDecimal } from "@intents/domain/amounts/money.ts";
import { EXTERNAL_ID } from "@intents/domain/external-id.ts";
import { toOneSpelling } from "@intents/domain/ids.ts";
import { METADATA_KEY, METADATA_KEYS_MAX, METADATA_VALUE_MAX } from "@intents/domain/metadata.ts";
import * as z from "zod";

// The shapes that several bodies share. Each is built on use, never at load. A `pattern` says to tools what a check
// beside it says to callers.

/** Control characters, and those that turn the text behind them round. */
const UNPRINTABLE = "\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069";
/** None of these, and one character at least that is no space. */
const PRINTABLE = `^[^${UNPRINTABLE}]*[^\\s\\u061c\\u200e\\u200f${UNPRINTABLE}][^${UNPRINTABLE}]*$`;

/**
 * Printable text of 1 to `max` characters: not blank, no control characters, and none that turn amounts beside it round.
 * Invisible marks of a direction, which keyboards and documents leave behind, are dropped.
 */
export const text = (max: number, description: string) =>
  z
    .string()
    .overwrite((value) => value.replaceAll(/[\u061c\u200e\u200f]/g, ""))
    .min(1, { error: "must not be empty", abort: true })
    // Characters are code points, as JSON Schema counts them: an emoji is one.
    .refine((value) => [...value].length <= max, `must be at most ${max} characters`)
    .refine((value) => value.trim() !== "", { error: "must not be blank", abort: true })
    .refine((value) => !/\p{Cc}|\p{Cs}/u.test(value), "must not contain control characters")
    .refine((value) => !/[\u202a-\u202e\u2066-\u2069]/.test(value), "must not contain characters that turn text round")
    .meta({ maxLength: max, pattern: PRINTABLE, description });

const NAME_MAX = 140;

export const name = (description: string) => text(NAME_MAX, description);

/** An address whose parts are as long as they may be, and no label of whose domain ends in a hyphen (RFC 5321, 1035). */
const EMAIL = /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?\.)+[A-Za-z]{2,63}$/;
const LOCAL_PART_MAX = 64;

export const email = () =>
  z
    .email({ pattern: EMAIL, error: "must be an email address", abort: true })
    .max(254, { error: "must be at most 254 characters", abort: true })
    .refine((value) => value.lastIndexOf("@") <= LOCAL_PART_MAX, "must be an email address")
    .describe("An email address, kept as it is written");

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
    .describe("The date of birth, a day in the past");

/** An amount of an intent: a decimal string above zero. */
export const amount = (description: string) =>
  z
    .string()
    .refine(isDecimal, "must be a decimal string such as 1000.00")
    .refine((value) => !isDecimal(value) || /[1-9]/.test(value), "must be above zero")
    .meta({ pattern: ABOVE_ZERO, description: `${description}: a decimal string above zero, in major units` });
/** The bounds of an amount above zero in schemas, as text and as a number: 15 digits before the point. */
export const BOUNDS = { exclusiveMinimum: 0, maximum: 999_999_999_999_999 } as const;
export const ABOVE_ZERO = "^([1-9][0-9]{0,14}(\\.[0-9]{1,20})?|0\\.[0-9]{0,9}[1-9][0-9]{0,9})$";
const AMOUNT = "^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,20})?$";

/** An amount in an answer, exact to the minor unit. */
export const money = (description: string) =>
  z.string().meta({ pattern: AMOUNT, description: `${description}: a decimal string in major units` });

/** The same of an amount that may be below zero. */
export const signedMoney = (description: string) =>
  z.string().meta({ pattern: `^-?${AMOUNT.slice(1)}`, description: `${description}: a decimal string in major units` });

/** An exchange rate in an answer. */
export const rate = (description: string) =>
  z.string().meta({ pattern: AMOUNT, description: `${description}: a decimal string` });

/** An amount of a quote or an fx-rate: a JSON number above zero that has an exact decimal form. */
export const amountNumber = (description: string) =>
  z
    .number()
    .positive({ error: "must be above zero", abort: true })
    .refine((value) => isDecimal(String(value)), "must be a plain decimal number of at most 15 digits")
    .meta({ ...BOUNDS, description: `${description}, in major units` });

/** Quote variants carry numeric ids; samples of the specification send them as strings, so both are taken. */
export const variantId = () =>
  z
    .union(
      [
        z.int(),
        z
          .string()
          .regex(/^\d{1,16}$/)
          .transform(Number),
      ],
      "must be the id of a quote variant",
    )
    .describe("The `id` of one of the quote's `variants`: the way to pay that was chosen");

/** A caller's own id of something. */
export const externalId = () =>
  z
    .string()
    .regex(EXTERNAL_ID, "must be 1 to 100 letters, digits, and any of . _ : / # -")
    .describe("The caller's own id, by which lists find it; it need not be unique. No payer and no rail sees it");
/** The same in an answer. */
export const givenExternalId = () => plainText("The caller's own id, as it was given");

const METADATA = `The caller's own notes: at most ${METADATA_KEYS_MAX} keys. No payer and no rail sees them`;
const metadataKey = () =>
  z.string().regex(METADATA_KEY, "must be 1 to 40 letters, digits, _ or -, the first a letter or a digit");
const metadataValue = () => text(METADATA_VALUE_MAX, "A note");
const isFull = { error: `must have at most ${METADATA_KEYS_MAX} keys` };

/** A caller's own notes of a record. */
export const metadata = () =>
  z
    .record(metadataKey(), metadataValue())
    .refine((notes) => Object.keys(notes).length <= METADATA_KEYS_MAX, isFull)
    .meta({ maxProperties: METADATA_KEYS_MAX, description: METADATA });
/** Changes of them. The bounds hold for the result, which alone tells whether there are too many. */
export const metadataChanges = () =>
  z.record(metadataKey(), z.nullable(metadataValue())).describe("Notes to set by their keys; null removes one");
/** The same in an answer. */
export const givenMetadata = () => z.record(z.string(), z.string()).describe("The caller's own notes");

/** An id that the service or a rail issued. The store knows which ids exist, so that no pattern is checked. */
export const id = (description: string) => text(64, description).overwrite(toOneSpelling);

/** A numeric id in a path. Ids have one spelling; anything else becomes NaN, which is the id of nothing. */
const numericId = (description: string) =>
  z
    .string()
    .transform((text) => (/^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN))
    .describe(description);

export const payeeId = () => numericId("The numeric id of a payee");
export const paymentId = () => numericId("The payment id, from `connectorPaymentIds` of an execution");

export const timestamp = (description: string) => z.iso.datetime().describe(`${description}, ISO 8601 in UTC`);

/** The highest place that a recipient can be given. */
export const ORDER_MAX = 9_999_999;

/** A number of a quote, which JSON carries exactly. */
export const decimal = (description: string) => z.number().describe(description);
export const count = (description: string) => z.int().min(0).describe(description);
export const plainText = (description: string) => z.string().describe(description);
