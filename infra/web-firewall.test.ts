import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { WebFirewall } from "./web-firewall.ts";

type Rule = Readonly<{
  Name: string;
  Statement: { RateBasedStatement?: { Limit: number; ScopeDownStatement?: object } };
}>;

function rulesOf(place: ConstructorParameters<typeof WebFirewall>[2]) {
  const stack = new Stack(new App(), "Stack");
  new WebFirewall(stack, "Firewall", place);
  const acls = Object.values(Template.fromStack(stack).findResources("AWS::WAFv2::WebACL"));
  const rules = acls.flatMap(({ Properties }) => Properties["Rules"] as Rule[]);
  return { text: JSON.stringify(acls), rules: new Map(rules.map(({ Name, Statement }) => [Name, Statement])) };
}

const places = [{ scope: "CLOUDFRONT" }, { scope: "REGIONAL", originSecret: "only-the-edge-knows" }] as const;

describe.each(places)("the firewall of $scope", (place) => {
  const { text, rules } = rulesOf(place);

  test("lets documents through and samples nothing", () => {
    for (const name of ["SizeRestrictions_BODY", "CrossSiteScripting_BODY"])
      expect(text).toContain(`{"ActionToUse":{"Count":{}},"Name":"${name}"}`);
    expect(text).not.toContain(`"SampledRequestsEnabled":true`);
  });

  test("lets one address ask as much as two keys may, and far less of what is public", () => {
    expect(rules.get("RatePerSource")?.RateBasedStatement).toMatchObject({ Limit: 120_000, AggregateKeyType: "IP" });
    const open = rules.get("PublicRatePerSource")?.RateBasedStatement;
    expect(open).toMatchObject({ Limit: 3_000, AggregateKeyType: "IP" });
    const [pattern = ""] = /(?<="RegexString":")[^"]+/.exec(JSON.stringify(open)) ?? [];
    const isPublic = (path: string) => new RegExp(pattern).test(path);
    for (const path of ["/pay/plink_a", "/v2/public/payment-links/a/status", "/sandbox/v2/public/payment-links/a"])
      expect(isPublic(path), path).toBe(true);
    for (const path of ["/assets/a.js", "/sandbox/v2/payees", "/v2/payment-intents"])
      expect(isPublic(path), path).toBe(false);
  });
});

test("before the API, payers whom CloudFront has counted are not counted by their edge's address", () => {
  const counted = rulesOf(places[1]).rules.get("PublicRatePerSource")?.RateBasedStatement?.ScopeDownStatement;
  expect(counted).toMatchObject({
    AndStatement: {
      Statements: [
        {},
        {
          NotStatement: {
            Statement: {
              ByteMatchStatement: {
                FieldToMatch: { SingleHeader: { Name: "x-origin-secret" } },
                PositionalConstraint: "EXACTLY",
                SearchString: "only-the-edge-knows",
              },
            },
          },
        },
      ],
    },
  });
});
