import { COMPRESSION_BYTES_MIN } from "@intents/contract/compression.ts";
import { rateLimits } from "@intents/contract/rate-limits.ts";
import { methodsOf, type Route, type RouteGroup } from "@intents/contract/route.ts";
import { namesOf } from "@intents/deployment/names.ts";
import { Duration, NestedStack, Size, Validations } from "aws-cdk-lib";
import {
  AccessLogField,
  AccessLogFormat,
  ApiKeySourceType,
  AuthorizationType,
  type CfnRestApi,
  EndpointAccessMode,
  EndpointType,
  IdentitySource,
  type IResource,
  LambdaIntegration,
  LogGroupLogDestination,
  type Method,
  RequestAuthorizer,
  Resource,
  RestApi,
  type RestApiProps,
  SecurityPolicy,
  type StageOptions,
  type UsagePlan,
} from "aws-cdk-lib/aws-apigateway";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { Deployment } from "./deployment.ts";
import { addGatewayResponses } from "./gateway-responses.ts";
import { logRetention } from "./service-function.ts";

type Handlers = Readonly<{
  groups: ReadonlyMap<RouteGroup, IFunction>;
  authorizer: IFunction;
  /** The function that answers requests that no route takes. */
  fallback: IFunction;
}>;

/** The gateway's own limit is best effort; with twice the burst, the service's exact one mostly answers first (H47). */
const keyThrottle = { rateLimit: rateLimits.global.limit, burstLimit: 2 * rateLimits.global.limit };

/**
 * The throttles for all callers of a method with its own limit together. They bound cost, far above one caller's limit.
 */
const ownLimitThrottles = {
  caller: { throttlingRateLimit: 50, throttlingBurstLimit: 100 },
  // The payers of all links share this one: it is so high that no payer keeps the others out (H48).
  token: { throttlingRateLimit: 500, throttlingBurstLimit: 1000 },
};

/**
 * The first parts of paths whose resources and methods are a stack of their own within that of the API: CloudFormation
 * takes 500 resources in each. A path that is deployed once stays in its stack, because API Gateway takes no two of a name.
 */
const APART = ["sandbox"];

/** The REST API, built from the route table, so that neither can have a route that the other lacks. */
export class ServiceApi extends Construct {
  readonly api: RestApi;
  readonly usagePlan: UsagePlan;
  /** One line for each request that reached the API, refused ones included. */
  readonly accessLogs: LogGroup;
  /** The stacks of the paths that are apart. */
  readonly apart: readonly NestedStack[];
  private readonly routes: readonly Route[];

  constructor(scope: Construct, id: string, props: Readonly<{ deployment: Deployment; routes: readonly Route[] }>) {
    super(scope, id);
    const { deployment, routes } = props;
    const name = namesOf(deployment).service;
    this.routes = routes;
    this.accessLogs = new LogGroup(this, "AccessLogs", logRetention(deployment));
    this.api = new RestApi(this, "Api", {
      restApiName: name,
      endpointTypes: [EndpointType.REGIONAL],
      // Bodies of every type reach the functions as they were sent (H41).
      binaryMediaTypes: ["*/*"],
      minCompressionSize: Size.bytes(COMPRESSION_BYTES_MIN),
      apiKeySourceType: ApiKeySourceType.AUTHORIZER,
      // API Gateway writes access logs only by a role of the whole account.
      cloudWatchRole: true,
      deployOptions: {
        stageName: deployment.stage,
        tracingEnabled: true,
        methodOptions: Object.fromEntries(routes.flatMap(ownThrottle)),
        ...accessLog(this.accessLogs),
      },
      ...ownDomain(this, deployment),
    });
    // The default of the default address is TLS 1.0.
    Object.assign(this.api.node.defaultChild as CfnRestApi, {
      securityPolicy: SecurityPolicy.TLS13_1_2_PQ_2025_09,
      endpointAccessMode: EndpointAccessMode.BASIC,
    });
    this.usagePlan = this.api.addUsagePlan("PerKey", {
      // The operator's command finds the API by this name.
      name,
      throttle: keyThrottle,
      apiStages: [{ stage: this.api.deploymentStage }],
    });
    this.apart = APART.filter((part) => routes.some(({ on }) => on.includes(` /${part}/`))).map((pathPart) => {
      const stack = new NestedStack(this, pathPart, { description: `Payment intents: paths below /${pathPart}` });
      new Resource(stack, "Resource", { parent: this.api.root, pathPart });
      return stack;
    });
    addGatewayResponses(this.api);
    acknowledgeChoices(this);
  }

  /** Adds the methods. The constructor cannot do so, because functions are told the address of the API. */
  connect({ groups, authorizer, fallback }: Handlers): void {
    const byKey = {
      apiKeyRequired: true,
      authorizationType: AuthorizationType.CUSTOM,
      authorizer: new RequestAuthorizer(this, "ByKey", {
        handler: authorizer,
        identitySources: [IdentitySource.header("X-API-Key")],
        resultsCacheTtl: Duration.seconds(60),
      }),
    };
    const integrations = new Map([...groups].map(([group, handler]) => [group, integrate(handler)]));
    for (const route of this.routes) {
      const [, path = ""] = route.on.split(" ");
      const resource = this.api.root.resourceForPath(path);
      for (const verb of methodsOf(route)) {
        const method = resource.addMethod(verb, integrations.get(route.group), route.auth === "key" ? byKey : {});
        if (route.auth !== "key")
          acknowledgeOpen(method, "Open by contract: the function looks at tokens and keys itself");
      }
    }
    this.catchTheRest(integrate(fallback));
  }

  /** Adds a method of any name on all other paths, because REST APIs answer 403 to unknown ones (H38). */
  private catchTheRest(integration: LambdaIntegration): void {
    const { root } = this.api;
    const resources = this.node.findAll().filter((child): child is Resource => child instanceof Resource);
    const everywhere: readonly IResource[] = [root, ...resources, root.addResource("{proxy+}")];
    for (const resource of everywhere) {
      acknowledgeOpen(resource.addMethod("ANY", integration), "Answers 404 or 405 and touches no data");
    }
  }
}

const ownDomain = (scope: Construct, { apiDomain }: Deployment): Partial<RestApiProps> =>
  apiDomain === undefined
    ? {}
    : {
        disableExecuteApiEndpoint: true,
        domainName: {
          domainName: apiDomain.name,
          certificate: Certificate.fromCertificateArn(scope, "Certificate", apiDomain.certificateArn),
          endpointType: EndpointType.REGIONAL,
          securityPolicy: SecurityPolicy.TLS_1_2,
        },
      };

/** Integrates a function with one permission for the whole API: one per method would outgrow its policy (H50). */
const integrate = (handler: IFunction) =>
  new LambdaIntegration(handler, { scopePermissionToMethod: false, timeout: Duration.seconds(29) });

/** The throttles of a route with a limit of its own, under the names that a stage's settings use for its methods. */
function ownThrottle(route: Route) {
  const { on, limit } = route;
  if (limit === undefined) return [];
  const path = on.slice(on.indexOf(" ") + 1);
  return methodsOf(route).map((verb) => [`${path}/${verb}`, ownLimitThrottles[rateLimits[limit].per]] as const);
}

/**
 * The access log says who called from where. It has the path as in the route table, never as it was sent, and no header:
 * a link's token is in the one, and keys in the others (H44).
 */
const accessLog = (logGroup: LogGroup): StageOptions => ({
  accessLogDestination: new LogGroupLogDestination(logGroup),
  accessLogFormat: AccessLogFormat.custom(
    JSON.stringify({
      requestId: AccessLogField.contextRequestId(),
      requestTime: AccessLogField.contextRequestTimeEpoch(),
      method: AccessLogField.contextHttpMethod(),
      resourcePath: AccessLogField.contextResourcePath(),
      status: AccessLogField.contextStatus(),
      responseType: AccessLogField.contextErrorResponseType(),
      latencyMs: AccessLogField.contextResponseLatency(),
      integrationLatencyMs: AccessLogField.contextIntegrationLatency(),
      responseBytes: AccessLogField.contextResponseLength(),
      clientId: AccessLogField.contextAuthorizerPrincipalId(),
      sourceIp: AccessLogField.contextIdentitySourceIp(),
      tlsVersion: "$context.tlsVersion",
    }),
  ),
});

const acknowledgeOpen = (method: Method, reason: string): void =>
  Validations.of(method).acknowledge({ id: "AwsSolutions::AwsSolutions-APIG4", reason });

function acknowledgeChoices(service: ServiceApi): void {
  const acknowledge = (rule: string, reason: string) =>
    Validations.of(service).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
  acknowledge("APIG2", "Functions check bodies by the contract's schemas, and list every problem in one answer");
  acknowledge("APIG6", "Execution logs name the address as sent, which holds link tokens; access logs do not");
  acknowledge("COG4", "Callers are machines with API keys of the service's own, checked by its authorizer");
  acknowledge(
    "IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]",
    "The account's role for API Gateway's logs, as AWS defines it",
  );
}
