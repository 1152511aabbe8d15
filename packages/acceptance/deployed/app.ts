import { appendFileSync, cpSync } from "node:fs";
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
const uses = await findFunctionUses();
const { app, api, stateful } = paymentApp(uses, {}, process.env["CHANGED_CODE"] === undefined ? undefined : changed());
for (const [name, use] of await findFunctionUses(probes)) {
  const { stores } = stateful;
  new ServiceFunction(api, `Probe-${name}`, {
    ...{ name, use, stores, dist },
    settings: {},
    deployment: readDeployment(app.node),
  });
}
app.synth();

/** The bundles, each of another code that does the same: another version of the functions. */
function changed(): string {
  const { dist: from } = projectFolders;
  const to = join(from, "changed");
  for (const name of uses.keys()) {
    cpSync(join(from, name), join(to, name), { recursive: true });
    appendFileSync(join(to, name, "index.cjs"), "\n// changed\n");
  }
  return to;
}
