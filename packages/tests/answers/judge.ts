import { readNotes } from "../suite/notes.ts";
import { unseenIn } from "./unseen.ts";

// A part of `test:whole` behind the tests over HTTP: fails for each declared answer of a route that none of them got.

const seen = readNotes("answers");
const unseen = unseenIn(seen);
process.stdout.write(`${seen.size} answers of routes were seen\n`);
process.stdout.write(unseen.map((answer) => `no test over HTTP got: ${answer}\n`).join(""));
process.exitCode = unseen.length > 0 ? 1 : 0;
