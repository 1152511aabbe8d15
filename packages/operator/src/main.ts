import { enableCompileCache } from "node:module";
import { CommanderError } from "commander";

// Every command is a process of its own, and half of its time would go into reading its code.
enableCompileCache();
const { createProgram, reasonOf } = await import("./program.ts");

try {
  await createProgram().parseAsync();
} catch (error) {
  // Commander has told the user already what is wrong with the command line.
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exitCode = 1;
  }
}
