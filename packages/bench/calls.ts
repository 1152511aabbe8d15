import { readFileSync } from "node:fs";
import { openFunctions } from "@intents/local/functions.ts";

const WARM_CALLS = 50;
const [, , dist = "", name = "", eventFile = ""] = process.argv;
const functions = openFunctions(dist);
const event: unknown = JSON.parse(readFileSync(eventFile, "utf8"));

const times: number[] = [];
for (let call = 0; call <= WARM_CALLS; call++) {
  const startMs = performance.now();
  await functions.invoke(name, event);
  times.push(performance.now() - startMs);
}
const [first, ...warm] = times;
process.stdout.write(JSON.stringify({ first, warm }));
process.exit();
