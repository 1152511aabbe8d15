import type { Route, RouteGroup } from "@intents/contract/route.ts";
import { namesOf } from "@intents/deployment/names.ts";
import { CfnOutput, Duration, type NestedStack, Stack, type StackProps, Validations } from "aws-cdk-lib";
import type { Stage } from "aws-cdk-lib/aws-apigateway";
import { Rule, RuleTargetInput, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction as FunctionTarget } from "aws-cdk-lib/aws-events-targets";
import { EventSourceMapping, type IFunction, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { CfnWebACLAssociation } from "aws-cdk-lib/aws-wafv2";
import type { Construct } from "constructs";
import { Canaries } from "./canaries.ts";
import type { Deployment } from "./deployment.ts";
import { diffRoleOf } from "./diff-role.ts";
import { type FunctionName, functionGrants, type UnroutedFunction } from "./function-grants.ts";
import { objectPatternsOf } from "./grants.ts";
import { Monitoring } from "./monitoring.ts";
import { OperatorPolicies } from "./operator-policies.ts";
import { edgeNameOf, PublicEdge } from "./public-edge.ts";
import { ServiceApi } from "./rest-api.ts";
import { ServiceFunction } from "./service-function.ts";
import { baseUrlOf, type Settings, signingSecrets, stageSettings } from "./stage-settings.ts";
import type { StatefulStack } from "./stateful-stack.ts";
import { WebFirewall } from "./web-firewall.ts";

export type ApiStackProps = StackProps &
  Readonly<{ deployment: Deployment; routes: readonly Route[]; stateful: StatefulStack }>;

/** The functions that submit payments. They and the poller get the reserved instances, if there are any. */
const SUBMITTERS: readonly FunctionName[] = ["payment-intents", "payment-links"];
const POLLER = "advance-intent" satisfies UnroutedFunction;
const DISPATCHER = "dispatch-due" satisfies UnroutedFunction;
/** The daily function reads whole collections, and may take as long as Lambda allows. */
const DAILY = "daily" satisfies UnroutedFunction;
const DAILY_TIMEOUT = Duration.minutes(15);
/** Sends events to tenants' endpoints: so many instances at most work on each of its queues, by AWS the fewest. */
const DELIVERER = "deliver-webhooks" satisfies UnroutedFunction;
const DELIVERERS_MAX = 2;
/** Copies entries of audit and ledger, in production. */
const COPIER: UnroutedFunction = "copy-history";
/** The functions of every stage that serve no request. */
const WORKERS: readonly UnroutedFunction[] = [DISPATCHER, POLLER, DAILY, DELIVERER];

/** A function that limits callers behind CloudFront by their addresses believes the edge by this secret. */
const originSecretOf = (name: FunctionName, edge: PublicEdge | undefined): Settings =>
  edge === undefined || functionGrants[name].rateWindow === undefined
    ? {}
    : { ORIGIN_SECRET: edge.originSecrets.join(" ") };

/** The stack of everything that holds no data: the functions, the API in front of them, and the schedule. */
export class ApiStack extends Stack {
  readonly monitoring: Monitoring;
  /** The stacks of the API's paths that are not in this one. */
  readonly paths: readonly NestedStack[];

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    const { deployment, routes, stateful } = props;
    const service = new ServiceApi(this, "Service", { deployment, routes });
    const { api } = service;
    this.paths = service.apart;
    const baseUrl = baseUrlOf(this, api.restApiId, deployment);
    const groups = [...new Set(routes.map(({ group }) => group))];
    const edge =
      deployment.emulator === undefined
        ? new PublicEdge(this, "Edge", { deployment, routes, restApiId: api.restApiId })
        : undefined;
    const payerAppUrl = edge?.url ?? baseUrl;
    const settings = {
      BASE_URL: baseUrl,
      PAYER_APP_URL: payerAppUrl,
      STORED_FORMAT: stateful.storedFormat,
      ...stageSettings(this, deployment),
    };
    const open = new Set(routes.flatMap(({ auth, group }): string[] => (auth === "public" ? [group] : [])));
    const requested: readonly FunctionName[] = [...groups, "authorizer", "fallback"];
    const functions = this.functions(
      [...requested, ...WORKERS, ...(stateful.stores.history ? [COPIER] : [])],
      props,
      (name) => ({ ...settings, ...(open.has(name) && originSecretOf(name, edge)) }),
      new Set(requested),
    );
    const named = (name: string): ServiceFunction => {
      const found = functions.get(name);
      if (found === undefined) throw new Error(`There is no function ${name}`);
      return found;
    };
    // A function may forget CloudFront's former secret only when CloudFront no longer sends it.
    if (edge !== undefined) for (const name of open) named(name).node.addDependency(edge.distribution);
    service.connect({
      groups: new Map(groups.map((group): [RouteGroup, IFunction] => [group, named(group).called])),
      authorizer: named("authorizer").called,
      fallback: named("fallback").called,
    });
    this.drivePolling(named(DISPATCHER), named(POLLER), props);
    this.driveDaily(named(DAILY));
    this.driveWebhooks(named(DELIVERER), stateful);
    if (stateful.stores.history) this.driveCopies(named(COPIER), stateful);
    this.protect(api.deploymentStage, edge, props);
    const { mainTable, queue, deadLetters } = stateful;
    this.monitoring = new Monitoring(this, "Monitoring", {
      deployment,
      api,
      functions,
      mainTable,
      queue,
      deadLetters,
      namespace: namesOf(deployment).service,
      poller: named(POLLER),
      copier: functions.get(COPIER),
      accessLogs: service.accessLogs,
      firewalls: edge === undefined ? [] : [namesOf(deployment).service, edgeNameOf(deployment)],
      dispatcher: named(DISPATCHER),
      daily: named(DAILY),
    });
    if (deployment.canary) new Canaries(this, "Canaries", { functions, alarms: this.monitoring.alarms });
    this.acknowledgeObjects(stateful);
    const operators = new OperatorPolicies(this, "Operators", { deployment, stateful });

    const outputs = {
      RestApiId: api.restApiId,
      BaseUrl: baseUrl,
      PayerAppUrl: payerAppUrl,
      ...(edge && { EdgeDomain: edge.domainName }),
      ...(api.domainName && { ApiDomainTarget: api.domainName.domainNameAliasDomainName }),
      ...outputsOf(stateful),
      OperatorLooksArn: operators.looks.managedPolicyArn,
      OperatorChangesArn: operators.changes.managedPolicyArn,
      ...diffRoleOf(this, deployment),
      AlarmTopicArn: this.monitoring.topic.topicArn,
      NextCommand: `npx -y pnpm@12 operator ${optionsOf(deployment)} tenants create 1001 --name "Your organization" --country AU`,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }

  /** Puts a firewall before the API, which believes CloudFront's word on who asks. */
  private protect({ stageArn }: Stage, edge: PublicEdge | undefined, { deployment, routes }: ApiStackProps): void {
    if (edge === undefined) {
      const reason = "An emulator has no web firewall, and nobody outside to keep away";
      Validations.of(this).acknowledge({ id: "AwsSolutions::AwsSolutions-APIG3", reason });
      return;
    }
    const { service: name } = namesOf(deployment);
    const { originSecrets } = edge;
    const firewall = { scope: "REGIONAL", name, originSecrets, routes, deployment } as const;
    const { acl } = new WebFirewall(this, "Firewall", firewall);
    acl.node.addDependency(edge.distribution);
    new CfnWebACLAssociation(this, "FirewallAssociation", { resourceArn: stageArn, webAclArn: acl.attrArn });
  }

  private acknowledgeObjects(stateful: StatefulStack): void {
    for (const bucket of ["documents", "history"] as const)
      for (const objects of objectPatternsOf(bucket))
        Validations.of(this).acknowledge({
          id: `AwsSolutions::AwsSolutions-IAM5[Resource::${stateful.exportOf(bucket)}/${objects}]`,
          reason: "One area of the service's own bucket; tenants are kept apart by the builder of their keys (H60)",
        });
  }

  private functions(
    names: readonly FunctionName[],
    props: ApiStackProps,
    settingsOf: (name: FunctionName) => Settings,
    requested: ReadonlySet<string>,
  ): Map<string, ServiceFunction> {
    const { deployment, stateful } = props;
    const { reservedConcurrency: reserved, questionsMax } = deployment;
    // A message that finds no instance counts as failed, so that the poller has instances for all that come at once.
    const pollers = (1 + stateful.lanes.length) * questionsMax;
    const setApart = new Map([...SUBMITTERS.map((name) => [name, 0] as const), [POLLER, pollers]]);
    return new Map(
      names.map((name) => {
        const grants = functionGrants[name];
        const made = new ServiceFunction(this, `Function-${name}`, {
          name,
          deployment,
          grants,
          settings: settingsOf(name),
          // Messages and ticks are left out: they come all the time, and X-Ray would cost more than what it follows.
          isRequested: requested.has(name),
          // A function that asks rails reads their signing secret.
          hasAlias: deployment.canary && grants.railSecret !== undefined,
          stores: { ...stateful.stores, ...signingSecrets(this, deployment) },
          reservedConcurrency: reserved && setApart.has(name) ? Math.max(reserved, setApart.get(name) ?? 0) : undefined,
          timeout: name === DAILY ? DAILY_TIMEOUT : undefined,
        });
        return [name, made];
      }),
    );
  }

  private drivePolling(
    dispatcher: ServiceFunction,
    poller: ServiceFunction,
    { stateful, deployment: { questionsMax } }: ApiStackProps,
  ): void {
    // A missed minute does no harm, because the next one catches up.
    const target = new FunctionTarget(dispatcher.called, { retryAttempts: 1, maxEventAge: Duration.minutes(1) });
    new Rule(this, "EveryMinute", { schedule: Schedule.rate(Duration.minutes(1)), targets: [target] });
    const check = new FunctionTarget(dispatcher.called, { event: RuleTargetInput.fromObject({ hourly: true }) });
    new Rule(this, "EveryHour", { schedule: Schedule.rate(Duration.hours(1)), targets: [check] });
    new EventSourceMapping(this, "Messages", {
      target: poller.called,
      eventSourceArn: stateful.queue.queueArn,
      batchSize: 10,
      reportBatchItemFailures: true,
      maxConcurrency: questionsMax,
    });
    stateful.lanes.forEach((lane, index) => {
      new EventSourceMapping(this, `Questions${index + 1}`, {
        target: poller.called,
        eventSourceArn: lane.queueArn,
        batchSize: 1,
        reportBatchItemFailures: true,
        maxConcurrency: questionsMax,
      });
    });
  }

  /** Receivers are others' machines: so few instances wait for them that nobody else lacks one. */
  private driveWebhooks({ called }: ServiceFunction, { webhooks }: StatefulStack): void {
    webhooks.forEach((queue, index) => {
      new EventSourceMapping(this, `Webhooks${index + 1}`, {
        target: called,
        eventSourceArn: queue.queueArn,
        batchSize: 10,
        maxConcurrency: DELIVERERS_MAX,
        reportBatchItemFailures: true,
      });
    });
  }

  /** A failed copy is tried again for as long as the stream holds it, which is a day. */
  private driveCopies({ called }: ServiceFunction, { mainTable }: StatefulStack): void {
    new EventSourceMapping(this, "Changes", {
      target: called,
      eventSourceArn: mainTable.tableStreamArn ?? "",
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 1000,
      maxBatchingWindow: Duration.seconds(30),
      bisectBatchOnError: true,
    });
  }

  private driveDaily({ called }: ServiceFunction): void {
    // Lambda repeats a failed day twice; the next day does the work that is still left then.
    const targets = [new FunctionTarget(called)];
    new Rule(this, "EveryDay", { schedule: Schedule.cron({ hour: "3", minute: "30" }), targets });
  }
}

/** The options by which the operator's command finds the deployment. */
const optionsOf = ({ stage, prefix }: Deployment): string =>
  prefix === undefined ? `--stage ${stage}` : `--stage ${stage} --prefix ${prefix}`;

/** Outputs about the data stack. */
const outputsOf = ({ mainTable, storedFormat, deadLetters }: StatefulStack) => ({
  TableName: mainTable.tableName,
  StoredFormat: storedFormat,
  DeadLettersUrl: deadLetters.queueUrl,
});
