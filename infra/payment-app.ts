import { isServedIn } from "@intents/contract/route.ts";
import { routes } from "@intents/contract/routes.ts";
import { namesOf } from "@intents/deployment/names.ts";
import { App, type AppProps, Tags, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { ApiStack } from "./api-stack.ts";
import { type Deployment, readDeployment } from "./deployment.ts";
import { StatefulStack } from "./stateful-stack.ts";

/** The whole deployment of one stage, of the bundles in `dist`, checked against AWS's rules when it is synthesized. */
export function paymentApp(props: AppProps = {}) {
  const app = new App({ analyticsReporting: false, ...props });
  const deployment = readDeployment(app.node);
  const { stage } = deployment;
  const names = namesOf(deployment);
  const tags = tagsOf(deployment);
  for (const [name, value] of Object.entries(tags)) Tags.of(app).add(name, value);
  const deployed = Object.values(routes).filter(
    (route) => isServedIn(stage, route) && (route.group !== "docs" || deployment.docs === "on"),
  );
  const stateful = new StatefulStack(app, "Stateful", {
    deployment,
    tags,
    stackName: names.dataStack,
    description: "Payment intents: tables, documents and queues",
    terminationProtection: stage === "production",
  });
  const api = new ApiStack(app, "Api", {
    deployment,
    stateful,
    routes: deployed,
    tags,
    stackName: names.service,
    description: "Payment intents: API, functions and alarms",
  });
  Validations.of(app).addPlugins(new AwsSolutionsChecks());
  return { app, stateful, api, routes: deployed };
}

/** The tags of all that is deployed, by which bills and inventories tell deployments apart. */
const tagsOf = ({ stage, prefix }: Deployment): Record<string, string> => ({
  service: "payment-intents",
  stage,
  ...(prefix !== undefined && { prefix }),
});
