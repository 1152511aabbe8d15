import { routes } from "@intents/contract/routes.ts";
import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { readDeployment } from "./deployment.ts";
import { WebFirewall } from "./web-firewall.ts";

type Rule = Readonly<{
  Name: string;
  Statement: { RateBasedStatement?: { Limit: number; ScopeDownStatement?: object } } & Readonly<
    Record<string, unknown>
  >;
}>;

const places = [{ scope: "CLOUDFRONT" }, { scope: "REGIONAL", originSecrets: ["sent", "next"] }] as const;

function rulesOf(place: (typeof places)[number]) {
  const app = new App();
  const stack = new Stack(app, "Stack");
  const all = Object.values(routes);
  new WebFirewall(stack, "Firewall", { ...place, name: "own", routes: all, deployment: readDeployment(app.node) });
  const template = Template.fromStack(stack);
  const acls = Object.values(template.findResources("AWS::WAFv2::WebACL"));
  const rules = acls.flatMap(({ Properties }) => Properties["Rules"] as Rule[]);
  const [logging] = Object.values(template.findResources("AWS::WAFv2::LoggingConfiguration"));
  return {
    logging: logging?.["Properties"],
    text: JSON.stringify(acls),
    rules: new Map(rules.map(({ Name, Statement }) => [Name, Statement])),
  };
}

test("every refusal before CloudFront says that it was the firewall; API Gateway says it itself of those before it", () => {
  type Action = Readonly<{
    Block?: { CustomResponse?: Readonly<{ ResponseCode: number; CustomResponseBodyKey: string }> };
  }>;
  const blocksOf = (text: string): Action[] => {
    const found: Action[] = [];
    JSON.parse(text, (key, value) => {
      if (/^Action(ToUse)?$/.test(key) && "Block" in value) found.push(value);
      return value;
    });
    return found;
  };
  const edge = rulesOf(places[0]).text;
  const said = { ResponseCode: 403, CustomResponseBodyKey: "refusal" };
  const blocks = blocksOf(edge);
  // Four rules of ours, and those of AWS's sets that are not exceptions.
  expect(blocks).toHaveLength(4 + 15 + 11 + 2);
  for (const action of blocks) expect(action).toEqual({ Block: { CustomResponse: said } });
  const [acl] = JSON.parse(edge) as [{ Properties: { CustomResponseBodies: { refusal: { Content: string } } } }];
  expect(JSON.parse(acl.Properties.CustomResponseBodies.refusal.Content)).toEqual({
    statusCode: 403,
    details: {},
    message: expect.stringContaining("The firewall refused the request"),
  });
  for (const action of blocksOf(rulesOf(places[1]).text)) expect(action).toEqual({ Block: {} });
});

describe.each(places)("the firewall of $scope", (place) => {
  const { text, rules, logging } = rulesOf(place);

  /** Whether a rule that blocks what AWS's rules only count would spare this path. */
  function spares(rule: string, path: string): boolean {
    const [pattern = ""] = /(?<="RegexString":")[^"]+/.exec(JSON.stringify(rules.get(rule))) ?? [];
    expect(pattern.length).toBeLessThanOrEqual(512);
    return new RegExp(JSON.parse(`"${pattern}"`)).test(path);
  }

  test("lets long queries through where lists are filtered, and blocks them elsewhere", () => {
    const long = (path: string) => spares("OnlyOn-lists", path);
    for (const path of ["/v2/payment-intents", "/sandbox/v2/students", "/v2/payees"])
      expect(long(path), path).toBe(true);
    for (const path of ["/v2/payment-intents/1", "/v2/users/me", "/pay/plink_1"]) expect(long(path), path).toBe(false);
    expect(JSON.stringify(rules.get("OnlyOn-lists"))).toContain(
      "awswaf:managed:aws:core-rule-set:SizeRestrictions_QueryString",
    );
  });

  test("lets files through that look like paths where files are uploaded, and blocks such bodies elsewhere", () => {
    const upload = (path: string) => spares("OnlyOn-uploads", path);
    for (const path of ["/v2/documents", "/sandbox/v2/public/payment-links/plink_1/documents"])
      expect(upload(path), path).toBe(true);
    for (const path of ["/v2/payment-intents", "/v2/students", "/v2/public/payment-links/plink_1/quotes"])
      expect(upload(path), path).toBe(false);
    const labels = ["GenericLFI_Body", "GenericRFI_Body", "EC2MetaDataSSRF_Body"];
    for (const label of labels)
      expect(JSON.stringify(rules.get("OnlyOn-uploads"))).toContain(`awswaf:managed:aws:core-rule-set:${label}"`);
  });

  test("blocks attacks on known software, and addresses of bad repute", () => {
    for (const name of ["AWSManagedRulesKnownBadInputsRuleSet", "AWSManagedRulesAmazonIpReputationList"])
      expect(rules.get(name)).toMatchObject({ ManagedRuleGroupStatement: { VendorName: "AWS", Name: name } });
  });

  test("logs what it blocked or counted and from where, without tokens, keys and secrets", () => {
    const headers = logging.RedactedFields.flatMap(
      ({ SingleHeader }: { SingleHeader?: { Name: string } }) => SingleHeader?.Name ?? [],
    );
    expect(headers.toSorted()).toEqual([
      ...["authorization", "cookie", "referer", "x-api-key", "x-origin-secret", "x-payer-secret"],
    ]);
    expect(logging.RedactedFields).toEqual(expect.arrayContaining([{ UriPath: {} }, { QueryString: {} }]));
    expect(JSON.stringify(logging.LogDestinationConfigs)).toMatch(/:log-group:aws-waf-logs-own"/);
    expect(logging.LoggingFilter).toMatchObject({ DefaultBehavior: "DROP" });
  });

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

test.each(["RatePerSource", "PublicRatePerSource"])(
  "before the API, payers whom CloudFront has counted are not counted by their edge's address in %s",
  (name) => {
    const counted = rulesOf(places[1]).rules.get(name)?.RateBasedStatement?.ScopeDownStatement;
    const carries = (SearchString: string) => ({
      ByteMatchStatement: expect.objectContaining({
        FieldToMatch: { SingleHeader: { Name: "x-origin-secret" } },
        PositionalConstraint: "EXACTLY",
        SearchString,
      }),
    });
    // The secret that CloudFront sends, and the one that it will send next.
    const spared = { NotStatement: { Statement: { OrStatement: { Statements: ["sent", "next"].map(carries) } } } };
    expect(counted).toEqual(
      name === "RatePerSource" ? spared : { AndStatement: { Statements: [expect.anything(), spared] } },
    );
    expect(rulesOf(places[0]).text).not.toContain("x-origin-secret");
  },
);
