import { rateLimits } from "@intents/contract/rate-limits.ts";
import { ORIGIN_SECRET_HEADER } from "@intents/deployment/origin-secret.ts";
import { CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";

/** The requests from one source address in five minutes: those of two keys. The service has the exact limits (H48). */
const REQUESTS_PER_SOURCE_MAX = 2 * rateLimits.global.limit * 300;
/** The public requests from one source address in five minutes; a school's payers may share an address. */
const PUBLIC_REQUESTS_PER_SOURCE_MAX = 5 * rateLimits.public_link.limit * 5;

/** Rules of AWS's common set that only count their matches. */
const counted = [
  // Documents are larger than 8 KB, and their bytes look like anything (H40).
  "SizeRestrictions_BODY",
  "CrossSiteScripting_BODY",
  // Servers that call an API often send no User-Agent.
  "NoUserAgent_HEADER",
];

/** The place of a firewall: before CloudFront, or before the API, where CloudFront proves its requests by a secret. */
type WebFirewallPlace = Readonly<{ scope: "CLOUDFRONT" } | { scope: "REGIONAL"; originSecret: string }>;

/** Refuses requests before they reach the API: floods from one address, and attacks that AWS knows. */
export class WebFirewall extends Construct {
  readonly acl: CfnWebACL;

  constructor(scope: Construct, id: string, place: WebFirewallPlace) {
    super(scope, id);
    this.acl = new CfnWebACL(this, "Acl", {
      scope: place.scope,
      defaultAction: { allow: {} },
      visibilityConfig: visibility("Requests"),
      rules: [
        {
          name: "RatePerSource",
          priority: 0,
          action: { block: {} },
          statement: {
            rateBasedStatement: { aggregateKeyType: "IP", limit: REQUESTS_PER_SOURCE_MAX, evaluationWindowSec: 300 },
          },
          visibilityConfig: visibility("RatePerSource"),
        },
        {
          name: "PublicRatePerSource",
          priority: 1,
          action: { block: {} },
          statement: {
            rateBasedStatement: {
              aggregateKeyType: "IP",
              limit: PUBLIC_REQUESTS_PER_SOURCE_MAX,
              evaluationWindowSec: 300,
              // Behind CloudFront all payers of an edge share its address, and CloudFront has counted them (H39).
              scopeDownStatement:
                place.scope === "CLOUDFRONT"
                  ? isPublic
                  : { andStatement: { statements: [isPublic, not(isFromEdge(place.originSecret))] } },
            },
          },
          visibilityConfig: visibility("PublicRatePerSource"),
        },
        {
          name: "CommonRules",
          priority: 2,
          overrideAction: { none: {} },
          statement: {
            managedRuleGroupStatement: {
              vendorName: "AWS",
              name: "AWSManagedRulesCommonRuleSet",
              ruleActionOverrides: counted.map((name) => ({ name, actionToUse: { count: {} } })),
            },
          },
          visibilityConfig: visibility("CommonRules"),
        },
      ],
    });
  }
}

/** A match for public paths; the API's own address puts the stage before them. */
const isPublic = {
  regexMatchStatement: {
    fieldToMatch: { uriPath: {} },
    regexString: "^(/[a-z]+)?/(v2/public|pay)/",
    textTransformations: [{ priority: 0, type: "URL_DECODE" }],
  },
};

const isFromEdge = (originSecret: string) => ({
  byteMatchStatement: {
    fieldToMatch: { singleHeader: { Name: ORIGIN_SECRET_HEADER } },
    positionalConstraint: "EXACTLY",
    searchString: originSecret,
    textTransformations: [{ priority: 0, type: "NONE" }],
  },
});

const not = (statement: CfnWebACL.StatementProperty) => ({ notStatement: { statement } });

/** No samples are kept: they would show addresses and headers, and with them tokens and keys (H44). */
const visibility = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});
