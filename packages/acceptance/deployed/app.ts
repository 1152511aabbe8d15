import { join } from "node:path";
import { ensureBundles, projectFolders } from "@intents/infra/bundle.ts";
import { readDeployment } from "@intents/infra/deployment.ts";
import { findFunctionUses } from "@intents/infra/function-uses.ts";
import { paymentApp } from "@intents/infra/payment-app.ts";
import { ServiceFunction } from "@intents/infra/service-function.ts";

/** The deployment that infra/app.ts makes, with further functions that only test the grants of functions. */
const dist = join(projectFolders.dist, "probes");
const probes = { ...projectFolders, functions: join(import.meta.dirname, "probes"), dist };
await ensureBundles();
await ensureBundles(probes);
const { app, api, stateful } = paymentApp(await findFunctionUses());
for (const [name, use] of await findFunctionUses(probes)) {
  const { stores } = stateful;
  new ServiceFunction(api, `Probe-${name}`, {
    ...{ name, use, stores, dist },
    settings: {},
    deployment: readDeployment(app.node),
  });
}
app.synth();
