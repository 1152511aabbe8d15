import { enableCompileCache } from "node:module";
import { CommanderError } from "commander";

// Every command is a process of its own, which would spend half of its time on compiling its code.
enableCompileCache();
const { createProgram, reasonOf } = await import("./program.ts");

try {
  await createProgram().parseAsync();
} catch (error) {
  // Commander has already told the user what is wrong with the command line.
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exitCode = 1;
  }
}
