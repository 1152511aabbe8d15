import { outcomeOf } from "@intents/operator/outcome.ts";
import { createProgram } from "@intents/operator/program.ts";

// A process that runs one operator's command after the other, each in an environment of its own, and answers with its
// exit code and output. It spares each command the loading of the program, which takes longer than most commands.

type OperatorCommand = Readonly<{ args: readonly string[]; env: Readonly<Record<string, string>> }>;

const streams = ["stdout", "stderr"] as const;
let written = { stdout: "", stderr: "" };
for (const name of streams) {
  process[name].write = (text) => {
    written[name] += String(text);
    return true;
  };
}

process.on("message", async ({ args, env }: OperatorCommand) => {
  written = { stdout: "", stderr: "" };
  process.env = { ...env };
  process.exitCode = 0;
  try {
    await createProgram().parseAsync(args, { from: "user" });
  } catch (error) {
    const { code, line } = outcomeOf(error);
    if (line !== undefined) process.stderr.write(`${line}\n`);
    process.exitCode = code;
  }
  process.send?.({ code: Number(process.exitCode), ...written });
});
process.once("disconnect", () => process.exit());
