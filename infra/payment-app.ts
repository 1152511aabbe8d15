import { isServedIn } from "@intents/contract/route.ts";
import { routes } from "@intents/contract/routes.ts";
import { namesOf } from "@intents/deployment/names.ts";
import { App, type AppProps, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { ApiStack } from "./api-stack.ts";
import { readDeployment } from "./deployment.ts";
import type { FunctionUse } from "./function-uses.ts";
import { StatefulStack } from "./stateful-stack.ts";

/** The whole deployment of one stage, checked against AWS's rules when it is synthesized. */
export function paymentApp(uses: ReadonlyMap<string, FunctionUse>, props: AppProps = {}) {
  const app = new App({ analyticsReporting: false, ...props });
  const deployment = readDeployment(app.node);
  const { stage } = deployment;
  const names = namesOf(stage);
  const deployed = Object.values(routes).filter((route) => isServedIn(stage, route));
  const stateful = new StatefulStack(app, "Stateful", {
    deployment,
    stackName: names.dataStack,
    description: "Payment intents: tables, documents and queues",
    terminationProtection: stage === "production",
  });
  const api = new ApiStack(app, "Api", {
    deployment,
    uses,
    stateful,
    routes: deployed,
    stackName: names.service,
    description: "Payment intents: API, functions and alarms",
  });
  Validations.of(app).addPlugins(new AwsSolutionsChecks());
  return { app, stateful, api, routes: deployed };
}
