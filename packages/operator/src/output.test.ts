import { afterEach, describe, expect, test, vi } from "vitest";
import { openProgress, print, printAll } from "./output.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

function written(stream: NodeJS.WriteStream): () => string {
  const spy = vi.spyOn(stream, "write").mockReturnValue(true);
  return () => spy.mock.calls.map(([text]) => String(text)).join("");
}

describe("a table", () => {
  test("shows lists in one line, objects as JSON, and nothing for a missing value", () => {
    const output = written(process.stdout);
    print({ json: false }, { roles: ["a", "b"], payer: { role: "student" }, none: undefined });
    expect(output()).toMatch(/│ roles │ a, b +│/);
    expect(output()).toMatch(/│ payer │ \{ +│\n│ +│ {3}"role": "student" +│\n│ +│ \} +│/);
    expect(output()).toMatch(/│ none +│ +│/);
  });

  test("breaks a long cell into lines, and loses none of it", () => {
    const output = written(process.stdout);
    const detail = "x".repeat(200);
    printAll({ json: false }, [{ at: "now", detail }]);
    const lines = output().split("\n");
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(110);
    expect(output().match(/x/g)).toHaveLength(200);
  });

  test("without records says that there are none", () => {
    const output = written(process.stdout);
    printAll({ json: false }, []);
    expect(output()).toBe("none\n");
  });
});

describe("progress", () => {
  function shown(isTTY: boolean): string {
    let output = "";
    const write = (text: string) => {
      output += text;
    };
    const progress = openProgress("items", 10, { isTTY, write });
    for (const by of [5, 5, 2]) progress.advance(by);
    progress.end();
    return output;
  }

  test("fills a bar, and never beyond its end", () => {
    const half = `${"█".repeat(15)}${"░".repeat(15)}`;
    const full = "█".repeat(30);
    expect(shown(true)).toBe(`\r${half} 50 % 5 items\r${full} 100 % 10 items\r${full} 100 % 12 items\n`);
  });

  test("prints nothing where no terminal shows it", () => {
    expect(shown(false)).toBe("");
  });
});
