import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { partyRoutes } from "./parties.ts";
import { paymentIntentRoutes } from "./payment-intents.ts";
import { toProblems } from "./problems.ts";
import { birthday, email, externalId, metadata, metadataChanges, name, phone, text } from "./shapes.ts";

const taken = name("A name");
const pattern = new RegExp(String(taken.meta()?.["pattern"]), "u");

test.each(["\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"])(
  "a text with %j, which turns amounts beside it round, is refused, by its pattern too",
  (character) => {
    const value = `University${character} of Sydney`;
    expect(taken.safeParse(value).error?.issues).toMatchObject([
      { message: "must not contain characters that turn text round" },
    ]);
    expect(value).not.toMatch(pattern);
  },
);

test("marks of a direction are dropped, and a text of nothing else is empty", () => {
  expect(taken.parse("\u200eجامعة\u200f \u061cسيدني")).toBe("جامعة سيدني");
  expect(taken.safeParse("\u200e\u200f").success).toBe(false);
  expect("\u200e\u200f").not.toMatch(pattern);
});

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, "x"]));
const longest = (at: number) => `${at}`.padStart(40, "k");
const most = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [longest(at), "😀".repeat(500)]));

/** Values that a field takes as they are, and values that it refuses. */
const fields: readonly (readonly [string, z.ZodType, { takes: unknown[]; refuses: unknown[] }])[] = [
  [
    "a name, in any script",
    name("A name"),
    {
      takes: ["Zoë", "李小龍", "محمد", "O'Brien-Šmíd", "👩‍🎓", "ẞ".repeat(140), "toString", "__proto__"],
      refuses: ["", "  ", "a\u0000b", "a\nb", "x".repeat(141), 7, null, ["Ana"]],
    },
  ],
  ["a text of at most 64", text(64, ""), { takes: ["🏫".repeat(64)], refuses: ["x".repeat(65)] }],
  [
    "a phone as people write it",
    phone(),
    {
      takes: ["+55 (11) 98765-4321", "(02) 9351 2222", "0049.30.123456", "(+351) 911 222 333", "12345"],
      refuses: [
        ...["1234", "+1 (2) 3-4", "1".repeat(21), "55+11987", "++5511987", "+55 11 98765 ext. 4", "5".repeat(41)],
        ...["5511\n987", "+", ""],
      ],
    },
  ],
  [
    "an email",
    email(),
    {
      takes: ["Ana.Silva+x@example.com"],
      refuses: ["ana", "ana@", "ana@example", `${"a".repeat(65)}@b.co`, `a@${"b.".repeat(130)}com`],
    },
  ],
  [
    "an own id",
    externalId(),
    {
      takes: [`${"Az09._:/#-".repeat(10)}`, "7"],
      refuses: ["", "x".repeat(101), "ana@example.com", "two words", "café", "a,b", 7, null],
    },
  ],
  [
    "metadata",
    metadata(),
    {
      takes: [{}, most],
      refuses: [
        ...[keys(21), { [`k${longest(1)}`]: "x" }, { "": "x" }, { "a.b": "x" }, { $gt: "x" }, { a: "x".repeat(501) }],
        ...[{ a: 7 }, { a: { b: "c" } }, { a: null }, ["a"], "a"],
      ],
    },
  ],
  [
    "a change of metadata, whose result alone can be too much",
    metadataChanges(),
    { takes: [{ a: null, ...most }, keys(21)], refuses: [{ "a.b": null }, { a: "x".repeat(501) }, { a: 7 }] },
  ],
];

test.each(fields)("%s is taken as it is, or refused", (_, schema, { takes, refuses }) => {
  for (const value of takes) expect(schema.parse(value)).toEqual(value);
  expect(refuses.filter((value) => schema.safeParse(value).success)).toEqual([]);
});

describe("a birthday", () => {
  test("is a day in the past, in UTC", () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 31, 23, 59), toFake: ["Date"] });
    const dates = ["2026-01-30", "2024-02-29", "2026-01-31", "2023-02-29", "29/02/2004", "2004-02-29T00:00:00Z", ""];
    const past = dates.filter((date) => birthday().safeParse(date).success);
    vi.useRealTimers();
    expect(past).toEqual(["2026-01-30", "2024-02-29"]);
  });

  test("is one wherever it is stated, and a record's problems are named by their dotted paths", () => {
    const problemsOf = (schema: z.ZodType, body: object) => {
      const { error = new z.ZodError([]) } = schema.safeParse(body);
      return toProblems(error, "body", body).map((problem) => problem.replace(/ (must|should) .*/, ""));
    };
    const { createPayer, updateStudent } = partyRoutes;
    const dob = "2950-01-31";
    expect(problemsOf(updateStudent.body(), { dob, countryCode: "BRA" })).toEqual(["dob", "countryCode"]);
    const payer = { payerType: "alien", email: "a@b.co", profile: { dob, nick: "x" }, address: { country: "br" } };
    expect(problemsOf(createPayer.body(), payer).toSorted()).toEqual([
      ...["address.country", "payerType", "profile.dob", "property profile.nick"],
    ]);
    const { body, example } = paymentIntentRoutes.createPaymentIntent;
    const details = { firstName: "Ana", dob };
    expect(problemsOf(body(), { ...example, payer: { role: "student", details } })).toEqual(["payer.details.dob"]);
  });
});
