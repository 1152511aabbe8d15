import { afterEach, describe, expect, test, vi } from "vitest";
import { openProgress, print, printAll } from "./output.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

function written(stream: NodeJS.WriteStream): () => string {
  const spy = vi.spyOn(stream, "write").mockReturnValue(true);
  return () => spy.mock.calls.map(([text]) => String(text)).join("");
}

const format = "table";

describe("one record", () => {
  test("shows lists in one line, objects as JSON, nothing for a missing value, and records in a table of their own", () => {
    const output = written(process.stdout);
    print(
      { format },
      { roles: ["a", "b"], payer: { role: "student" }, none: undefined, lanes: [{ lane: 1, depth: 7 }] },
    );
    expect(output()).toMatch(/│ roles │ a, b +│/);
    expect(output()).toMatch(/│ payer │ \{ +│\n│ +│ {3}"role": "student" +│\n│ +│ \} +│/);
    expect(output()).toMatch(/│ none +│ +│/);
    expect(output()).toMatch(/\nlanes\n┌.*\n│ lane │ depth │\n.*\n│ 1 +│ 7 +│\n/);
  });
});

describe("many records", () => {
  test("say so when there are none, but to programs", () => {
    const output = written(process.stdout);
    printAll({ format }, []);
    printAll({ format: "json" }, []);
    printAll({ format: "csv" }, []);
    expect(output()).toBe("none\n[]\n");
  });

  test("are lines of CSV with all fields that any of them has, and no formulas", () => {
    const output = written(process.stdout);
    printAll({ format: "csv" }, [
      { id: 1, reason: "=1+1" },
      { id: 2, data: { a: "x,y" }, names: ["a", "b"] },
    ]);
    expect(output()).toBe('id,reason,data,names\r\n1,\'=1+1,,\r\n2,,"{""a"":""x,y""}","a, b"\r\n');
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
