import { ensureBundles } from "./bundle.ts";
import { InvalidDeployment, readDeployment } from "./deployment.ts";
import { paymentApp } from "./payment-app.ts";
import { lookForPrerequisites } from "./prerequisites.ts";

try {
  await ensureBundles();
  const { app, api } = paymentApp();
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
  lookForPrerequisites(api, readDeployment(app.node), { account, region });
  app.synth();
} catch (error) {
  // A mistake of the person who deploys is told without the place in our code that found it.
  if (!(error instanceof InvalidDeployment)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
