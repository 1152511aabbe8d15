import { gatewayError } from "@intents/contract/error-answers.ts";
import { PAYER_SECRET_HEADER } from "@intents/contract/payer-secret.ts";
import { rateLimits } from "@intents/contract/rate-limits.ts";
import type { Route } from "@intents/contract/route.ts";
import { ORIGIN_SECRET_HEADER } from "@intents/deployment/origin-secret.ts";
import { ArnFormat, type CfnResource, Stack } from "aws-cdk-lib";
import { type CfnLogGroup, LogGroup } from "aws-cdk-lib/aws-logs";
import { CfnLoggingConfiguration, CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";
import type { Deployment } from "./deployment.ts";
import { logRetention } from "./service-function.ts";

/** The requests from one source address in five minutes: those of two keys. The service has the exact limits (H48). */
const REQUESTS_PER_SOURCE_MAX = 2 * rateLimits.global.limit * 300;
/** The public requests from one source address in five minutes; a school's payers may share an address. */
const PUBLIC_REQUESTS_PER_SOURCE_MAX = 5 * rateLimits.public_link.limit * 5;

/**
 * Rules of AWS's common set that legal requests match, by where that is: nowhere else do such requests pass. Each counts
 * its matches and leaves a label, by which a rule of ours blocks what is not legal there.
 */
const exceptions = [
  // Servers that call an API often send no User-Agent.
  { rule: "NoUserAgent_HEADER", legalOn: "everything" },
  // Bodies are larger than 8 KB, and texts in them look like anything (H40).
  { rule: "SizeRestrictions_BODY", legalOn: "everything" },
  { rule: "CrossSiteScripting_BODY", legalOn: "everything" },
  // A filter of a list is longer than 2,048 bytes.
  { rule: "SizeRestrictions_QUERYSTRING", label: "SizeRestrictions_QueryString", legalOn: "lists" },
  // The bytes of a file look like paths and addresses.
  { rule: "GenericLFI_BODY", label: "GenericLFI_Body", legalOn: "uploads" },
  { rule: "GenericRFI_BODY", label: "GenericRFI_Body", legalOn: "uploads" },
  { rule: "EC2MetaDataSSRF_BODY", label: "EC2MetaDataSSRF_Body", legalOn: "uploads" },
] as const;

/** The other rules of that set. One that AWS adds blocks as well, without our words. */
const otherCommonRules = [
  ...["UserAgent_BadBots_HEADER", "SizeRestrictions_Cookie_HEADER", "SizeRestrictions_URIPATH"],
  ...["EC2MetaDataSSRF_COOKIE", "EC2MetaDataSSRF_URIPATH", "EC2MetaDataSSRF_QUERYARGUMENTS"],
  ...["GenericLFI_QUERYARGUMENTS", "GenericLFI_URIPATH", "RestrictedExtensions_URIPATH"],
  ...["RestrictedExtensions_QUERYARGUMENTS", "GenericRFI_QUERYARGUMENTS", "GenericRFI_URIPATH"],
  ...["CrossSiteScripting_COOKIE", "CrossSiteScripting_QUERYARGUMENTS", "CrossSiteScripting_URIPATH"],
];

/** Sets of AWS's rules that no legal request matches, with those rules that block: attacks on software, bad addresses. */
const otherSets = {
  AWSManagedRulesKnownBadInputsRuleSet: [
    ...["JavaDeserializationRCE_HEADER", "JavaDeserializationRCE_BODY", "JavaDeserializationRCE_URIPATH"],
    ...["JavaDeserializationRCE_QUERYSTRING", "Host_localhost_HEADER", "PROPFIND_METHOD", "ExploitablePaths_URIPATH"],
    ...["Log4JRCE_HEADER", "Log4JRCE_QUERYSTRING", "Log4JRCE_URIPATH", "Log4JRCE_BODY"],
  ],
  AWSManagedRulesAmazonIpReputationList: ["AWSManagedIPReputationList", "AWSManagedReconnaissanceList"],
};

/** The words of a refusal by CloudFront's firewall. API Gateway has its own for refusals by the firewall before it. */
const REFUSAL = "refusal";
const refusal = gatewayError("firewall", "", 0);
const refusalBody = JSON.stringify({ ...JSON.parse(refusal.body), timestamp: undefined, details: {} });

const placesOf: Readonly<Record<"lists" | "uploads", (route: Route) => boolean>> = {
  lists: ({ query }) => query !== undefined,
  uploads: ({ form }) => form === "multipart",
};

/** The place of a firewall: before CloudFront, or before the API, where CloudFront proves its requests by a secret. */
type WebFirewallPlace = Readonly<{ scope: "CLOUDFRONT" } | { scope: "REGIONAL"; originSecrets: readonly string[] }>;
type WebFirewallProps = WebFirewallPlace &
  Readonly<{
    /** The name of its metrics, which no other firewall of the account may have. */
    name: string;
    routes: readonly Route[];
    deployment: Deployment;
  }>;

/** Refuses requests before they reach the API: floods from one address, and attacks that AWS knows. */
export class WebFirewall extends Construct {
  readonly acl: CfnWebACL;
  /** Its resources: a region that allows no firewall may have none of them. */
  readonly made: readonly CfnResource[];

  constructor(scope: Construct, id: string, props: WebFirewallProps) {
    super(scope, id);
    // Behind CloudFront all payers of an edge share its address, and CloudFront's own firewall has counted them (H39).
    const atEdge = props.scope === "CLOUDFRONT";
    const block = atEdge
      ? { customResponse: { responseCode: refusal.statusCode, customResponseBodyKey: REFUSAL } }
      : {};
    const blocking = (rule: string, priority: number, statement: Statement): CfnWebACL.RuleProperty => ({
      name: rule,
      priority,
      statement,
      action: { block },
      visibilityConfig: visibility(rule),
    });
    const others = props.scope === "CLOUDFRONT" ? [] : [not(either(props.originSecrets.map(carries)))];
    this.acl = new CfnWebACL(this, "Acl", {
      scope: props.scope,
      defaultAction: { allow: {} },
      visibilityConfig: visibility(props.name),
      ...(atEdge && { customResponseBodies: { [REFUSAL]: { content: refusalBody, contentType: "APPLICATION_JSON" } } }),
      rules: [
        blocking("RatePerSource", 0, rateOf(REQUESTS_PER_SOURCE_MAX, others)),
        blocking("PublicRatePerSource", 1, rateOf(PUBLIC_REQUESTS_PER_SOURCE_MAX, [isPublic, ...others])),
        {
          name: "CommonRules",
          priority: 2,
          overrideAction: { none: {} },
          statement: {
            managedRuleGroupStatement: {
              vendorName: "AWS",
              name: "AWSManagedRulesCommonRuleSet",
              ruleActionOverrides: [
                ...exceptions.map(({ rule: name }) => ({ name, actionToUse: { count: {} } })),
                ...(atEdge ? otherCommonRules.map((name) => ({ name, actionToUse: { block } })) : []),
              ],
            },
          },
          visibilityConfig: visibility("CommonRules"),
        },
        ...Object.entries(otherSets).map(([name, rules], index): CfnWebACL.RuleProperty => {
          const ruleActionOverrides = atEdge ? rules.map((rule) => ({ name: rule, actionToUse: { block } })) : [];
          return {
            name,
            priority: 5 + index,
            overrideAction: { none: {} },
            visibilityConfig: visibility(name),
            statement: { managedRuleGroupStatement: { vendorName: "AWS", name, ruleActionOverrides } },
          };
        }),
        ...(["lists", "uploads"] as const).map((place, index) => {
          const elsewhere = not(isOn(props.routes.filter(placesOf[place])));
          return blocking(`OnlyOn-${place}`, 3 + index, all([either(labelsOf(place)), elsewhere]));
        }),
      ],
    });
    const log = new LogGroup(this, "Log", { logGroupName: logGroupOf(props.name), ...logRetention(props.deployment) });
    const logging = logTo(this, this.acl, props.name);
    logging.node.addDependency(log);
    this.made = [this.acl, log.node.defaultChild as CfnLogGroup, logging];
  }
}

/** WAF writes to log groups with this prefix alone. */
const logGroupOf = (name: string): string => `aws-waf-logs-${name}`;
const logGroupArn = { service: "logs", resource: "log-group", arnFormat: ArnFormat.COLON_RESOURCE_NAME };

type Statement = CfnWebACL.StatementProperty;

const rateOf = (limit: number, counted: readonly Statement[]): Statement => ({
  rateBasedStatement: {
    aggregateKeyType: "IP",
    limit,
    evaluationWindowSec: 300,
    ...(counted.length > 0 && { scopeDownStatement: all(counted) }),
  },
});

// AWS refuses a conjunction or disjunction of one.
const all = (statements: readonly Statement[]): Statement => {
  const [first, ...others] = statements;
  return first !== undefined && others.length === 0 ? first : { andStatement: { statements: [...statements] } };
};
const either = (statements: readonly Statement[]): Statement => {
  const [first, ...others] = statements;
  return first !== undefined && others.length === 0 ? first : { orStatement: { statements: [...statements] } };
};
const not = (statement: Statement): Statement => ({ notStatement: { statement } });

const pathLike = (regexString: string): Statement => ({
  regexMatchStatement: {
    fieldToMatch: { uriPath: {} },
    regexString,
    textTransformations: [{ priority: 0, type: "URL_DECODE" }],
  },
});

/** A match for public paths; the API's own address puts the stage before them. */
const isPublic = pathLike("^(/[a-z]+)?/(v2/public|pay)/");

/** A match for the paths of these routes. */
function isOn(routes: readonly Route[]): Statement {
  const paths = routes.map(({ on }) => on.replace(/^\S+ \//, "").replaceAll(/\{\w+\}/g, "[^/]+"));
  return pathLike(`^(/[a-z]+)?/(${[...new Set(paths)].join("|")})$`);
}

const labelsOf = (place: "lists" | "uploads"): Statement[] =>
  exceptions.flatMap((exception) =>
    exception.legalOn === place
      ? [{ labelMatchStatement: { scope: "LABEL", key: `awswaf:managed:aws:core-rule-set:${exception.label}` } }]
      : [],
  );

const carries = (originSecret: string): Statement => ({
  byteMatchStatement: {
    fieldToMatch: { singleHeader: { Name: ORIGIN_SECRET_HEADER } },
    positionalConstraint: "EXACTLY",
    searchString: originSecret,
    textTransformations: [{ priority: 0, type: "NONE" }],
  },
});

/** Headers that are or hold a secret; a link's token is in the path, and in the address that a page came from. */
const secretHeaders = ["x-api-key", PAYER_SECRET_HEADER, ORIGIN_SECRET_HEADER, "authorization", "cookie", "referer"];

/** Logs blocked and counted requests with source and rule. Paths and secrets are left out (H44). */
const logTo = (scope: Construct, acl: CfnWebACL, name: string) =>
  new CfnLoggingConfiguration(scope, "Logging", {
    resourceArn: acl.attrArn,
    // The address that CloudFormation gives for a log group ends in a wildcard, which WAF does not take.
    logDestinationConfigs: [Stack.of(scope).formatArn({ ...logGroupArn, resourceName: logGroupOf(name) })],
    redactedFields: [
      ...secretHeaders.map((name) => ({ singleHeader: { Name: name.toLowerCase() } })),
      { uriPath: {} },
      { queryString: {} },
    ],
    loggingFilter: {
      DefaultBehavior: "DROP",
      Filters: [
        {
          Behavior: "KEEP",
          Requirement: "MEETS_ANY",
          Conditions: ["BLOCK", "COUNT", "EXCLUDED_AS_COUNT"].map((Action) => ({ ActionCondition: { Action } })),
        },
      ],
    },
  });

/** No samples are kept: they would show addresses and headers, and with them tokens and keys (H44). */
const visibility = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});
