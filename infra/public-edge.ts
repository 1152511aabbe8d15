import { PAYER_SECRET_HEADER } from "@intents/contract/payer-secret.ts";
import type { Route } from "@intents/contract/route.ts";
import { namesOf } from "@intents/deployment/names.ts";
import { ORIGIN_SECRET_HEADER } from "@intents/deployment/origin-secret.ts";
import { Aws, CfnCondition, Duration, Fn, Stack, Validations } from "aws-cdk-lib";
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
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import type { Deployment } from "./deployment.ts";
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
  /** The edge's proof of itself (H39): put in when CloudFormation deploys, and in no template. */
  readonly originSecret: string;

  constructor(scope: Construct, id: string, { deployment, restApiId, routes }: PublicEdgeProps) {
    super(scope, id);
    const { region, urlSuffix } = Stack.of(this);
    this.originSecret = newOriginSecret(this);
    const origin = new HttpOrigin(`${restApiId}.execute-api.${region}.${urlSuffix}`, {
      originPath: `/${deployment.stage}`,
      customHeaders: { [ORIGIN_SECRET_HEADER]: this.originSecret },
    });
    const common = {
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
    };
    const fresh = { ...common, cachePolicy: CachePolicy.CACHING_DISABLED, originRequestPolicy: passedOn(this) };
    const open = { ...fresh, allowedMethods: AllowedMethods.ALLOW_ALL };
    const page = { ...open, cachePolicy: compressed(this) };
    // CloudFront caches these answers for as long as their own headers allow, compresses them, and answers 304 itself.
    const cached = { ...common, cachePolicy: CachePolicy.CACHING_OPTIMIZED };
    const shortly = { ...fresh, cachePolicy: shared(this) };
    const behaviorOf = (route: Route) => {
      if (route.shared !== undefined) return shortly;
      return route.on.startsWith("GET /assets/") ? cached : route.on.startsWith("GET /pay/") ? page : open;
    };
    const publicRoutes = routes.filter(({ auth }) => auth === "public");
    const distribution = new Distribution(this, "Distribution", {
      comment: namesOf(deployment.stage).service,
      // All other paths are not for payers: they can only be read, and the API answers as to a caller without a key.
      defaultBehavior: fresh,
      additionalBehaviors: Object.fromEntries(publicRoutes.map((route) => [patternOf(route), behaviorOf(route)])),
      errorResponses: keptErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      httpVersion: HttpVersion.HTTP2_AND_3,
      webAclId: firewallWhereThereMayBe(this),
      ...ownDomain(this, deployment),
    });
    this.domainName = distribution.distributionDomainName;
    this.url = deployment.payerApp?.url ?? `https://${this.domainName}`;
    acknowledgeChoices(distribution, deployment);
  }
}

/** The path pattern of a route: `/pay/*` for `GET /pay/{token}`; a shared one matches its path and none below it. */
const patternOf = ({ on, shared }: Route): string =>
  on.replace(/^\S+ /, "").replace(/\{.*$/, shared === undefined ? "*" : "?".repeat(shared.tokenLength));

/** Passes on no Host, by which API Gateway would look for another API, and no key. */
const passedOn = (scope: Construct) =>
  new OriginRequestPolicy(scope, "PassedOn", {
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
 * Lets an answer be compressed: CloudFront tells the origin what the viewer accepts only where it may keep an answer, if
 * for a second. Pages say `no-store`, so none is kept; viewers who ask for one at the same moment may share an answer,
 * which a page may be, and an answer about a payer's payment must not.
 */
const compressed = (scope: Construct) =>
  new CachePolicy(scope, "Compressed", {
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: Duration.seconds(1),
    enableAcceptEncodingBrotli: true,
    enableAcceptEncodingGzip: true,
    headerBehavior: CacheHeaderBehavior.allowList("Accept-Language"),
    queryStringBehavior: CacheQueryStringBehavior.all(),
  });

/** Keeps an answer for as long as it says, whoever asks, and nothing that says nothing. */
const shared = (scope: Construct) =>
  new CachePolicy(scope, "Shared", {
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: Duration.seconds(60),
    enableAcceptEncodingBrotli: true,
    enableAcceptEncodingGzip: true,
  });

function newOriginSecret(scope: Construct): string {
  const secret = new Secret(scope, "OriginSecret", {
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
function firewallWhereThereMayBe(scope: Construct): string {
  const condition = new CfnCondition(scope, "InUsEast1", { expression: Fn.conditionEquals(Aws.REGION, "us-east-1") });
  const { acl } = new WebFirewall(scope, "Firewall", { scope: "CLOUDFRONT" });
  acl.cfnOptions.condition = condition;
  return Fn.conditionIf(condition.logicalId, acl.attrArn, Aws.NO_VALUE).toString();
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
  acknowledge("CFR3", "Its logs would name the address as sent, which holds link tokens; the API's logs do not (H44)");
  if (payerApp === undefined)
    acknowledge("CFR4", "The protocols of CloudFront's own domain are its own choice; with payerAppUrl it is TLS 1.2");
}
