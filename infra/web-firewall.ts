import { rateLimits } from "@intents/contract/rate-limits.ts";
import { CfnWebACL, CfnWebACLAssociation } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";

/** Two keys' worth from one source address in five minutes; exact limits are the service's own (H48). */
const REQUESTS_PER_SOURCE_MAX = 2 * rateLimits.global.limit * 300;

/** Rules of AWS's common set that only count. */
const counted = [
  // Documents are larger than 8 KB, and their bytes look like anything (H40).
  "SizeRestrictions_BODY",
  "CrossSiteScripting_BODY",
  // Servers that call an API often send none.
  "NoUserAgent_HEADER",
];

/** What is refused before it reaches the API: floods from one address, and what AWS knows as attacks. */
export class WebFirewall extends Construct {
  constructor(scope: Construct, id: string, props: Readonly<{ stageArn: string }>) {
    super(scope, id);
    const acl = new CfnWebACL(this, "Acl", {
      scope: "REGIONAL",
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
          name: "CommonRules",
          priority: 1,
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
    new CfnWebACLAssociation(this, "Association", { resourceArn: props.stageArn, webAclArn: acl.attrArn });
  }
}

/** Samples would show addresses and headers, and with them tokens and keys (H44). */
const visibility = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});
