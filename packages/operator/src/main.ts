import { CommanderError } from "commander";
import { createProgram, reasonOf } from "./program.ts";

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
