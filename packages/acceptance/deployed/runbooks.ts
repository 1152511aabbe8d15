import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const docs = join(import.meta.dirname, "../../../docs");
const texts = readdirSync(docs, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".md"))
  .map((path) => readFileSync(join(docs, path), "utf8"));

/** The calls of AWS's command line that documents tell people to type, in words. */
const commands = texts.flatMap((text) =>
  [
    ...text
      .replaceAll(/\\\n\s*/g, "")
      .matchAll(/(?<=`|^ *)aws ([a-z\d-]+ [a-z\d-]+[^`\n]*(?:\n(?! *aws )[^`\n]+(?=`))?)/gm),
  ].map(([, called = ""]) => called.match(/'[^']*'|"[^"]*"|<[^>]*>|\S+/g) ?? []),
);

/** Tests of what documents say to type at AWS's command line. `python` has botocore, which knows all of it. */
export function describeRunbooks(python: string): void {
  test("every command of AWS that documents tell people to type exists, and its options do", () => {
    const check = (input: readonly (readonly string[])[]) => {
      const script = join(import.meta.dirname, "aws-commands.py");
      const { stdout } = spawnSync(python, [script], { input: JSON.stringify(input), encoding: "utf8" });
      return JSON.parse(stdout) as string[];
    };
    expect(commands.length).toBeGreaterThan(15);
    expect(check(commands)).toEqual([]);
    const wrong = [
      ["dynamo", "wait"],
      ["dynamodb", "restore"],
      ["sts", "get-caller-identity", "--who"],
    ];
    expect(check(wrong)).toEqual(["no service dynamo", "no dynamodb restore", "no sts get-caller-identity --who"]);
  });
}
