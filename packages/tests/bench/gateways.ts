import { paymentIntentRoutes } from "@intents/contract/payment-intents.ts";
import { listenHere } from "@intents/local/free-port.ts";
import { openFunctions } from "@intents/local/functions.ts";
import { createGateway } from "@intents/local/gateway/gateway.ts";
import { KEY } from "./plan.ts";

/** Starts a gateway whose functions have this limit of requests per second. */
async function startGateway(limit: string): Promise<string> {
  process.env["RATE_LIMIT_PER_SECOND"] = limit;
  const report = (problem: string) => process.stderr.write(`${problem}\n`);
  const functions = openFunctions(process.env["DIST"] ?? "");
  const url = await listenHere(createGateway({ routes: paymentIntentRoutes, functions, report }).server);
  // A function reads its settings when the first request loads it.
  await fetch(`${url}/v2/payment-intents/none`, { headers: { "X-API-Key": KEY } });
  return url;
}

// One process has both gateways, so that they share a core.
process.stdout.write(`${await startGateway("200")} ${await startGateway("1000000")}\n`);
