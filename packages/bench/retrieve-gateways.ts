import { paymentIntentRoutes } from "@intents/contract/payment-intents.ts";
import { listenHere } from "@intents/local/free-port.ts";
import { openFunctions } from "@intents/local/functions.ts";
import { createGateway } from "@intents/local/gateway/gateway.ts";

const functions = openFunctions(process.env["DIST"] ?? "");

/** Starts a gateway in which the function `name` answers for payment intents. */
async function startGateway(name: string): Promise<string> {
  const { server } = createGateway({
    routes: paymentIntentRoutes,
    functions: { invoke: (asked, event) => functions.invoke(asked === "payment-intents" ? name : asked, event) },
    report: (problem) => process.stderr.write(`${problem}\n`),
  });
  return listenHere(server);
}

/** Both gateways are in one process, so that they run the same compiled code on the same core. */
const urls = [await startGateway("retrieve-gated"), await startGateway("retrieve-ungated")];
process.stdout.write(`${urls.join(" ")}\n`);
