import { resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

// Does the job of the module that is named first, and prints what came of it.
const [job = "", ...args] = process.argv.slice(2);
const { doJob } = await import(pathToFileURL(resolve(job)).href);
process.stdout.write(JSON.stringify(await doJob(...args)));
