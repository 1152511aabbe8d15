import { readFileSync } from "node:fs";
import { openFunctions } from "@intents/local/functions.ts";

/** Makes one call in a process of its own, and tells its time and the most memory that the process has held. */
const [, , dist = "", name = "", eventFile = ""] = process.argv;
const functions = openFunctions(dist);
const event: unknown = JSON.parse(readFileSync(eventFile, "utf8"));

const startMs = performance.now();
const { statusCode } = (await functions.invoke(name, event)) as { statusCode: number };
const ms = performance.now() - startMs;
process.stdout.write(JSON.stringify({ statusCode, ms, megabytes: process.resourceUsage().maxRSS / 1_024 }));
process.exit();
