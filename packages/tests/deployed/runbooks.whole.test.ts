import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findMinistack } from "./ministack.ts";
import { root } from "./stage.ts";

/** The calls of AWS's command line in documents, each as a list of its parts. */
const commands = globSync("docs/**/*.md", { cwd: root }).flatMap((path) =>
  [
    ...readFileSync(join(root, path), "utf8")
      .replaceAll(/\\\n\s*/g, "")
      .matchAll(/(?<=`|^ *)aws ([a-z\d-]+ [a-z\d-]+[^`\n]*(?:\n(?! *aws )[^`\n]+(?=`))?)/gm),
  ].map(([, called = ""]) => called.match(/'[^']*'|"[^"]*"|<[^>]*>|\S+/g) ?? []),
);

test("every AWS command in the documents exists, and so do its options", async ({ skip }) => {
  // MiniStack brings botocore, which knows all of them.
  const ministack = await findMinistack();
  if ("missing" in ministack) return skip(ministack.missing);
  const check = (input: readonly (readonly string[])[]) => {
    const script = join(import.meta.dirname, "aws-commands.py");
    const { stdout } = spawnSync(ministack.python, [script], { input: JSON.stringify(input), encoding: "utf8" });
    return JSON.parse(stdout) as string[];
  };
  expect(commands.length).toBeGreaterThan(15);
  expect(check(commands)).toEqual([]);
  const wrong = ["dynamo wait", "dynamodb restore", "sts get-caller-identity --who"];
  expect(check(wrong.map((command) => command.split(" ")))).toEqual(wrong.map((command) => `no ${command}`));
});
