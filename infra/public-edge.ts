import { PAYER_SECRET_HEADER } from "@intents/contract/payer-secret.ts";
import type { Route } from "@intents/contract/route.ts";
import { namesOf } from "@intents/deployment/names.ts";
import { ORIGIN_SECRET_HEADER } from "@intents/deployment/origin-secret.ts";
import { Aws, CfnCondition, type CfnResource, Duration, Fn, Stack, Validations } from "aws-cdk-lib";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import {
  AllowedMethods,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  HttpVersion,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource, LogGroup } from "aws-cdk-lib/aws-logs";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import type { Deployment } from "./deployment.ts";
import { logRetention } from "./service-function.ts";
import { WebFirewall } from "./web-firewall.ts";

type PublicEdgeProps = Readonly<{ deployment: Deployment; restApiId: string; routes: readonly Route[] }>;

/** The errors that CloudFront would cache for ten seconds, whatever the cache policy of the behaviour is. */
const keptErrors = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/**
 * CloudFront in front of the addresses that payers open: pages, their assets and the public methods under one origin,
 * so that nothing needs CORS (H42, Decision 020). It knows only the API's id, because functions are told the edge's
 * address.
 */
export class PublicEdge extends Construct {
  /** The address at which payers find the service. */
  readonly url: string;
  /** The name that a domain of one's own must point at. */
  readonly domainName: string;
  /** The edge's proofs of itself (H39): put in when CloudFormation deploys, and in no template. It sends the first. */
  readonly originSecrets: readonly [string, string];
  /** The edge, which sends its secret everywhere before others may forget the one that it sent before. */
  readonly distribution: Distribution;

  constructor(scope: Construct, id: string, { deployment, restApiId, routes }: PublicEdgeProps) {
    super(scope, id);
    const { region, urlSuffix } = Stack.of(this);
    const { originSecret: sent, apiDomain, stage } = deployment;
    this.originSecrets = [originSecret(this, sent), originSecret(this, sent + 1)];
    const customHeaders = { [ORIGIN_SECRET_HEADER]: this.originSecrets[0] };
    const origin =
      apiDomain === undefined
        ? new HttpOrigin(`${restApiId}.execute-api.${region}.${urlSuffix}`, { originPath: `/${stage}`, customHeaders })
        : new HttpOrigin(apiDomain.name, { customHeaders });
    // Policies belong to the account, whichever stage and region they are for.
    const name = `${namesOf(deployment).service}-${region}`;
    const common = {
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
    };
    const fresh = { ...common, cachePolicy: CachePolicy.CACHING_DISABLED, originRequestPolicy: passedOn(this, name) };
    const open = { ...fresh, allowedMethods: AllowedMethods.ALLOW_ALL };
    const page = { ...open, cachePolicy: compressed(this, name) };
    // CloudFront caches these answers for as long as their own headers allow, compresses them, and answers 304 itself.
    const cached = { ...common, cachePolicy: CachePolicy.CACHING_OPTIMIZED };
    const shortly = { ...fresh, cachePolicy: shared(this, name) };
    const behaviorOf = (route: Route) => {
      if (route.shared !== undefined) return shortly;
      if (route.on.startsWith("GET /assets/")) return cached;
      return /^GET \/($|pay\/|docs\b)/.test(route.on) ? page : open;
    };
    const publicRoutes = routes.filter(({ auth }) => auth === "public");
    const inUsEast1 = new CfnCondition(this, "InUsEast1", { expression: Fn.conditionEquals(Aws.REGION, "us-east-1") });
    const distribution = new Distribution(this, "Distribution", {
      comment: namesOf(deployment).service,
      // All other paths are not for payers: they can only be read, and the API answers as to a caller without a key.
      defaultBehavior: fresh,
      additionalBehaviors: Object.fromEntries(publicRoutes.map((route) => [patternOf(route), behaviorOf(route)])),
      errorResponses: keptErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      httpVersion: HttpVersion.HTTP2_AND_3,
      webAclId: firewallWhere(this, inUsEast1, { deployment, routes }),
      ...ownDomain(this, deployment),
    });
    this.domainName = distribution.distributionDomainName;
    this.url = deployment.payerApp?.url ?? `https://${this.domainName}`;
    this.distribution = distribution;
    for (const part of logEdge(this, distribution, deployment)) part.cfnOptions.condition = inUsEast1;
    acknowledgeChoices(distribution, deployment);
  }
}

/** The path pattern of a route: `/pay/*` for `GET /pay/{token}`; a shared one matches its path and none below it. */
const patternOf = ({ on, shared }: Route): string =>
  on.replace(/^\S+ /, "").replace(/\{.*$/, shared?.tokenLength === undefined ? "*" : "?".repeat(shared.tokenLength));

/** Passes on no Host, by which API Gateway would look for another API, and no key. */
const passedOn = (scope: Construct, name: string) =>
  new OriginRequestPolicy(scope, "PassedOn", {
    originRequestPolicyName: `${name}-passed-on`,
    headerBehavior: OriginRequestHeaderBehavior.allowList(
      "Accept-Language",
      "CloudFront-Viewer-Address",
      "Content-Type",
      "If-None-Match",
      PAYER_SECRET_HEADER,
    ),
    queryStringBehavior: OriginRequestQueryStringBehavior.all(),
  });

/**
 * Lets an answer be compressed: CloudFront tells the origin the viewer's encodings only where it may keep an answer, if
 * for a second. Pages say `no-store`, so it keeps none. Viewers who ask at the same moment may share an answer: a page
 * may be shared, an answer about a payer's payment must not.
 */
const compressed = (scope: Construct, name: string) =>
  new CachePolicy(scope, "Compressed", {
    cachePolicyName: `${name}-compressed`,
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: Duration.seconds(1),
    enableAcceptEncodingBrotli: true,
    enableAcceptEncodingGzip: true,
    headerBehavior: CacheHeaderBehavior.allowList("Accept-Language"),
    queryStringBehavior: CacheQueryStringBehavior.all(),
  });

/** Keeps an answer for as long as it says, whoever asks, and nothing that says nothing. */
const shared = (scope: Construct, name: string) =>
  new CachePolicy(scope, "Shared", {
    cachePolicyName: `${name}-shared`,
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: Duration.seconds(60),
    enableAcceptEncodingBrotli: true,
    enableAcceptEncodingGzip: true,
  });

/**
 * A secret of CloudFront's by its number. The next one is there before it is sent: functions and firewall accept it, so
 * that CloudFront may change over in its own time.
 */
function originSecret(scope: Construct, number: number): string {
  const secret = new Secret(scope, `OriginSecret${number === 1 ? "" : number}`, {
    description: "What CloudFront proves itself by to the functions behind it",
    generateSecretString: { excludePunctuation: true, passwordLength: 64 },
  });
  Validations.of(secret).acknowledge({
    id: "AwsSolutions::AwsSolutions-SMG4",
    reason: "Both who send it and who check it learn it from a deployment, and it opens nothing but a rate limit",
  });
  return secret.secretValue.unsafeUnwrap();
}

/** A firewall, if the region allows one: CloudFront takes only those of us-east-1. Elsewhere the API's own must do. */
function firewallWhere(
  scope: Construct,
  condition: CfnCondition,
  props: Readonly<{ deployment: Deployment; routes: readonly Route[] }>,
): string {
  const name = edgeNameOf(props.deployment);
  const { acl, made } = new WebFirewall(scope, "Firewall", { scope: "CLOUDFRONT", name, ...props });
  for (const part of made) part.cfnOptions.condition = condition;
  return Fn.conditionIf(condition.logicalId, acl.attrArn, Aws.NO_VALUE).toString();
}

/** The name of the edge's firewall and logs. */
export const edgeNameOf = (deployment: Deployment): string => `${namesOf(deployment).service}-edge`;

/** The logged fields of a request: client, time, TLS and outcome; no URL, referrer or cookie (H44). */
const loggedFields = [
  ...["date", "time", "x-edge-request-id", "x-edge-location", "c-ip", "cs-method", "cs-protocol", "ssl-protocol"],
  ...["sc-status", "x-edge-result-type", "sc-bytes", "time-taken"],
];

/** Logs requests at the edge. CloudFront delivers logs of chosen fields from us-east-1 alone. */
function logEdge(scope: Construct, distribution: Distribution, deployment: Deployment): CfnResource[] {
  const name = edgeNameOf(deployment);
  const group = new LogGroup(scope, "Log", {
    logGroupName: `/aws/vendedlogs/cloudfront/${name}`,
    ...logRetention(deployment),
  });
  const source = new CfnDeliverySource(scope, "LogSource", {
    name,
    logType: "ACCESS_LOGS",
    resourceArn: distribution.distributionArn,
  });
  const destination = new CfnDeliveryDestination(scope, "LogDestination", {
    name,
    destinationResourceArn: group.logGroupArn,
    outputFormat: "json",
  });
  const delivery = new CfnDelivery(scope, "LogDelivery", {
    deliverySourceName: source.ref,
    deliveryDestinationArn: destination.attrArn,
    recordFields: loggedFields,
  });
  return [group.node.defaultChild as CfnResource, source, destination, delivery];
}

const ownDomain = (scope: Construct, { payerApp }: Deployment) =>
  payerApp && {
    domainNames: [new URL(payerApp.url).hostname],
    certificate: Certificate.fromCertificateArn(scope, "Certificate", payerApp.certificateArn),
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
  };

function acknowledgeChoices(distribution: Distribution, { payerApp }: Deployment): void {
  const acknowledge = (rule: string, reason: string) =>
    Validations.of(distribution).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
  acknowledge("CFR1", "Payers pay from any country that there is a corridor from");
  acknowledge("CFR3", "It has a log of chosen fields instead: a usual one names addresses, which hold tokens (H44)");
  if (payerApp === undefined)
    acknowledge("CFR4", "The protocols of CloudFront's own domain are its own choice; with payerAppUrl it is TLS 1.2");
}
