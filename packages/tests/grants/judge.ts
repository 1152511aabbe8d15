import { readNotes } from "../suite/notes.ts";
import { unusedIn, usedExceptionsIn } from "./unused.ts";

// The last part of `test:whole`: fails for each grant that no call of the other parts has used (Decision 023).

const used = readNotes("grants");
const unused = unusedIn(used);
const lines = unused.map((grant) => `nothing has used: ${grant}\n`).join("");
const idle = usedExceptionsIn(used)
  .map((grant) => `used, and no exception any more: ${grant}\n`)
  .join("");
process.stdout.write(`${used.size} grants were used\n${idle}${lines}`);
process.exitCode = unused.length > 0 ? 1 : 0;
