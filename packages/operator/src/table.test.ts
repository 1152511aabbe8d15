import { PassThrough } from "node:stream";
import { WriteStream } from "node:tty";
import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test, vi } from "vitest";
import { toSheet, toTable } from "./table.ts";

const linesOf = (table: string) => stripVTControlCharacters(table).split("\n");
const widest = (table: string) => Math.max(...linesOf(table).map((line) => stringWidth(line)));

const names = ["id", "payer", "payee"];
const ID = "019a00000000aabbccddeeff";
const row = [ID, "Ana Maria da Silva e Souza Prado", "University of Sydney and all of its colleges"];

describe("a table", () => {
  test("is as wide as its texts where nobody looks at it", () => {
    expect(linesOf(toTable(names, [row], {}))[3]).toBe(`│ ${row.join(" │ ")} │`);
  });

  test("fits the terminal: texts are broken into lines, and ids never are", () => {
    const table = toTable(names, [row], { columns: 80 });
    expect(widest(table)).toBeLessThanOrEqual(80);
    expect(table).toContain(`│ ${ID} │`);
    expect(linesOf(table).length).toBeGreaterThan(5);
  });

  test("breaks no word that is to be copied while other texts can give way", () => {
    const ids = "railPaymentId sbx_bf5b39b5734692ffdf0d9e8a7b1c2d";
    const story = [
      "submission_claimed",
      ids,
      "a text of many short words that can be broken anywhere at all, and is long",
    ];
    const table = toTable(["event", "details", "why"], [story, ["created", "none", "none"]], { columns: 90 });
    expect(widest(table)).toBeLessThanOrEqual(90);
    for (const word of [story[0], ...ids.split(" ")]) expect(table).toContain(word);
  });

  test("tells records one below the other where its columns do not fit", () => {
    const [first = "", second = ""] = toTable(names, [row, row], { columns: 50 }).split("\n┌");
    expect(first).toMatch(new RegExp(`│ id +│ ${ID} +│\\n`));
    expect(second).toContain(ID);
  });

  test("shows a word like any other that is the name of something in every object", () => {
    const odd = ["constructor", "toString", "__proto__"];
    expect(
      linesOf(toTable(names, [odd], {}))[3]
        ?.split(/[│ ]+/)
        .filter(Boolean),
    ).toEqual(odd);
  });

  test("fits every terminal, whatever is in it, and loses nothing", () => {
    const text = fc.stringMatching(/^[a-z]{1,30}( [a-z東京]{1,12}){0,4}$/);
    const drawn = fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(drawn, fc.integer({ min: 50, max: 200 }), (rows, columns) => {
        const table = toTable(["A", "B", "C"], rows, { columns });
        expect(widest(table)).toBeLessThanOrEqual(columns);
        // Names apart, which are repeated where records stand one below the other.
        const letters = (shown: string) => [...shown.replaceAll(/[^a-z東京]/gu, "")].toSorted().join("");
        expect(letters(table)).toBe(letters(rows.flat().join("")));
      }),
    );
  });

  test("paints how something stands, on a terminal with colours alone, and not with NO_COLOR", () => {
    const { hasColors, getColorDepth } = WriteStream.prototype;
    const stream = (isTTY: boolean) =>
      Object.assign(new PassThrough(), { isTTY, hasColors, getColorDepth }) as unknown as NodeJS.WriteStream;
    const tableOn = (isTTY: boolean) => toTable(["status"], [["failed"], ["free"]], { stream: stream(isTTY) });
    for (const name of ["FORCE_COLOR", "NODE_DISABLE_COLORS", "CI"]) vi.stubEnv(name, undefined);
    vi.stubEnv("TERM", "xterm-256color");
    vi.stubEnv("NO_COLOR", undefined);
    const [painted, piped] = [tableOn(true), tableOn(false)];
    expect(painted).toContain(`\u001b[31mfailed\u001b[39m`);
    expect(piped).toBe(stripVTControlCharacters(painted));
    vi.stubEnv("NO_COLOR", "1");
    expect(tableOn(true)).toBe(piped);
    vi.unstubAllEnvs();
  });
});

describe("a sheet", () => {
  test("fits the terminal, too", () => {
    expect(widest(toSheet(["name"], ["x".repeat(300)], { columns: 60 }))).toBe(60);
  });
});
