import { enableCompileCache } from "node:module";

// Every command is a process of its own, which would spend half of its time on compiling its code.
enableCompileCache();
const [{ createProgram }, { outcomeOf }] = await Promise.all([import("./program.ts"), import("./outcome.ts")]);

// A reader of only the first lines, such as head, closes the pipe.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

try {
  await createProgram().parseAsync();
} catch (error) {
  const { code, line } = outcomeOf(error);
  if (line !== undefined) process.stderr.write(`${line}\n`);
  process.exitCode = code;
}
