import type { Route } from "@intents/contract/route.ts";
import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { CfnRestApi } from "aws-cdk-lib/aws-apigateway";
import { expect, test } from "vitest";
import { readDeployment } from "./deployment.ts";
import { PublicEdge } from "./public-edge.ts";

const routes = [
  { on: "GET /pay/{link}", auth: "public" },
  { on: "GET /assets/{file}", auth: "public" },
  { on: "GET /", auth: "public" },
  { on: "GET /docs/{page}", auth: "public" },
  { on: "GET /v2/public/payment-links/{token}", auth: "public", shared: { seconds: 5, tokenLength: 32 } },
  { on: "POST /v2/public/payment-links/{token}/documents", auth: "public" },
  { on: "GET /health", auth: "public", shared: { seconds: 5 } },
  { on: "GET /v2/payees", auth: "key" },
  { on: "POST /auth/login", auth: "optional" },
] as readonly Partial<Route>[] as readonly Route[];

/** The edge alone, before an API with the routes above. */
function edgeOf(context: Readonly<Record<string, string>> = {}) {
  const app = new App({ context });
  const stack = new Stack(app, "Stack");
  const api = new CfnRestApi(stack, "Api", { name: "api" });
  const deployment = readDeployment(app.node);
  const { url } = new PublicEdge(stack, "Edge", { deployment, routes, restApiId: api.ref });
  const template = Template.fromStack(stack);
  const [made] = Object.values(template.findResources("AWS::CloudFront::Distribution"));
  return { template, url, config: made?.["Properties"].DistributionConfig as Config };
}

type Behavior = Readonly<{
  PathPattern: string;
  AllowedMethods?: string[];
  CachePolicyId: string | object;
  OriginRequestPolicyId?: object;
  ViewerProtocolPolicy: string;
  ResponseHeadersPolicyId: string;
}>;
type Config = Readonly<{
  CacheBehaviors: Behavior[];
  DefaultCacheBehavior: Behavior;
  CustomErrorResponses: object[];
  [name: string]: unknown;
}>;

const edge = edgeOf();

/** AWS's managed policies, by the ids that its documentation lists. */
const CACHING_DISABLED = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";
const CACHING_OPTIMIZED = "658327ea-f89d-4fab-a63d-7e88639e58f6";
const SECURITY_HEADERS = "67f7725c-6f97-4210-82d7-5512b31e9d03";

test("what payers open takes every method and is never kept, but for assets and, shortly, a link's details and what a probe is told", () => {
  const [page, shared] = Object.keys(edge.template.findResources("AWS::CloudFront::CachePolicy"));
  const behaviors = edge.config.CacheBehaviors.map(
    ({ PathPattern, AllowedMethods, CachePolicyId, OriginRequestPolicyId }) => ({
      path: PathPattern,
      writes: AllowedMethods?.includes("POST") ?? false,
      kept: CachePolicyId === CACHING_OPTIMIZED,
      sent: OriginRequestPolicyId !== undefined,
    }),
  );
  expect(behaviors).toEqual([
    { path: "/pay/*", writes: true, kept: false, sent: true },
    { path: "/assets/*", writes: false, kept: true, sent: false },
    { path: "/", writes: true, kept: false, sent: true },
    { path: "/docs/*", writes: true, kept: false, sent: true },
    { path: `/v2/public/payment-links/${"?".repeat(32)}`, writes: false, kept: false, sent: true },
    { path: "/v2/public/payment-links/*", writes: true, kept: false, sent: true },
    { path: "/health", writes: false, kept: false, sent: true },
  ]);
  expect(edge.config.CacheBehaviors.map(({ CachePolicyId }) => CachePolicyId)).toEqual([
    { Ref: page },
    CACHING_OPTIMIZED,
    { Ref: page },
    { Ref: page },
    { Ref: shared },
    CACHING_DISABLED,
    { Ref: shared },
  ]);
});

test("a page is compressed for whoever accepts that, and kept only if it says so, which it does not", () => {
  edge.template.hasResourceProperties("AWS::CloudFront::CachePolicy", {
    CachePolicyConfig: {
      MinTTL: 0,
      DefaultTTL: 0,
      // CloudFront takes no policy that lets nothing be kept and passes on what viewers accept.
      MaxTTL: 1,
      ParametersInCacheKeyAndForwardedToOrigin: {
        EnableAcceptEncodingGzip: true,
        EnableAcceptEncodingBrotli: true,
        // Whatever else a page depends on is part of its address.
        HeadersConfig: { HeaderBehavior: "whitelist", Headers: ["Accept-Language"] },
        QueryStringsConfig: { QueryStringBehavior: "all" },
        CookiesConfig: { CookieBehavior: "none" },
      },
    },
  });
});

test("the details of a link are kept for as long as they say, and nothing that says nothing", () => {
  edge.template.hasResourceProperties("AWS::CloudFront::CachePolicy", {
    CachePolicyConfig: {
      ...{ MinTTL: 0, DefaultTTL: 0, MaxTTL: 60 },
      ParametersInCacheKeyAndForwardedToOrigin: {
        HeadersConfig: { HeaderBehavior: "none" },
        QueryStringsConfig: { QueryStringBehavior: "none" },
        CookiesConfig: { CookieBehavior: "none" },
      },
    },
  });
});

test("everything else may only be read, is not kept, and no key comes with it", () => {
  expect(edge.config.DefaultCacheBehavior).toMatchObject({ CachePolicyId: CACHING_DISABLED });
  expect(edge.config.DefaultCacheBehavior.AllowedMethods ?? []).not.toContain("POST");
  edge.template.hasResourceProperties("AWS::CloudFront::OriginRequestPolicy", {
    OriginRequestPolicyConfig: {
      // The edge passes on neither Host, X-API-Key nor X-Forwarded-For, and CloudFront refuses Accept-Encoding here.
      HeadersConfig: {
        HeaderBehavior: "whitelist",
        Headers: ["Accept-Language", "CloudFront-Viewer-Address", "Content-Type", "If-None-Match", "X-Payer-Secret"],
      },
      QueryStringsConfig: { QueryStringBehavior: "all" },
      CookiesConfig: { CookieBehavior: "none" },
    },
  });
});

test("clients connect over TLS, by HTTP/2 or 3, and are told to stay with it", () => {
  for (const behavior of [edge.config.DefaultCacheBehavior, ...edge.config.CacheBehaviors]) {
    expect(behavior).toMatchObject({
      ViewerProtocolPolicy: "redirect-to-https",
      ResponseHeadersPolicyId: SECURITY_HEADERS,
    });
  }
  expect(edge.config["HttpVersion"]).toBe("http2and3");
});

test("no error is kept", () => {
  expect(edge.config.CustomErrorResponses).toContainEqual({ ErrorCode: 404, ErrorCachingMinTTL: 0 });
  expect(edge.config.CustomErrorResponses).toContainEqual({ ErrorCode: 503, ErrorCachingMinTTL: 0 });
  for (const error of edge.config.CustomErrorResponses) expect(error).toMatchObject({ ErrorCachingMinTTL: 0 });
});

test("who asked is logged where CloudFront logs chosen fields, and nothing that would name a link's token", () => {
  expect(edge.config["Logging"]).toBeUndefined();
  const [delivery] = Object.values(edge.template.findResources("AWS::Logs::Delivery"));
  const fields = delivery?.["Properties"].RecordFields as string[];
  expect(fields).toEqual(expect.arrayContaining(["c-ip", "ssl-protocol", "sc-status"]));
  for (const field of fields) expect(field).not.toMatch(/uri|query|referer|cookie|header|\(/i);
  const [condition] = Object.keys(edge.template.findConditions("*"));
  for (const type of ["Delivery", "DeliverySource", "DeliveryDestination"])
    for (const [id, { Condition }] of Object.entries(edge.template.findResources(`AWS::Logs::${type}`)))
      expect(Condition, id).toBe(condition);
});

test("the API is asked at its stage, over TLS 1.2, with a secret that is in no template", () => {
  expect(edge.config["Origins"]).toEqual([
    expect.objectContaining({
      DomainName: { "Fn::Join": ["", [{ Ref: "Api" }, ".execute-api.", expect.anything(), ".", expect.anything()]] },
      OriginPath: "/sandbox",
      CustomOriginConfig: expect.objectContaining({
        OriginProtocolPolicy: "https-only",
        OriginSSLProtocols: ["TLSv1.2"],
      }),
      OriginCustomHeaders: [
        {
          HeaderName: "x-origin-secret",
          HeaderValue: {
            "Fn::Join": [
              "",
              ["{{resolve:secretsmanager:", { Ref: expect.stringContaining("OriginSecret") }, ":SecretString:::}}"],
            ],
          },
        },
      ],
    }),
  ]);
  edge.template.hasResourceProperties("AWS::SecretsManager::Secret", {
    GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
  });
});

test("it has a firewall of its own where CloudFront takes one: in us-east-1", () => {
  const [[id = "", acl] = []] = Object.entries(edge.template.findResources("AWS::WAFv2::WebACL"));
  const condition = acl?.["Condition"];
  expect(acl).toMatchObject({ Properties: { Scope: "CLOUDFRONT" } });
  expect(edge.config["WebACLId"]).toEqual({
    "Fn::If": [condition, { "Fn::GetAtt": [id, "Arn"] }, { Ref: "AWS::NoValue" }],
  });
  expect(edge.template.findConditions(condition)).toEqual({
    [condition]: { "Fn::Equals": [{ Ref: "AWS::Region" }, "us-east-1"] },
  });
});

const certificate = "arn:aws:acm:us-east-1:123456789012:certificate/0f0f";

test("with a domain of one's own, payers find it there, over TLS 1.2 or newer", () => {
  const own = edgeOf({ payerAppUrl: "https://pay.example.com", payerAppCertificate: certificate });
  expect(own.url).toBe("https://pay.example.com");
  expect(own.config["Aliases"]).toEqual(["pay.example.com"]);
  expect(own.config["ViewerCertificate"]).toMatchObject({
    AcmCertificateArn: certificate,
    MinimumProtocolVersion: "TLSv1.2_2021",
  });
});

test.each([
  ["payerAppUrl", { payerAppUrl: "http://pay.example.com", payerAppCertificate: certificate }],
  ["payerAppUrl", { payerAppUrl: "https://pay.example.com/path", payerAppCertificate: certificate }],
  ["payerAppUrl", { payerAppCertificate: certificate }],
  ["payerAppCertificate", { payerAppUrl: "https://pay.example.com" }],
  [
    "payerAppCertificate",
    { payerAppUrl: "https://pay.example.com", payerAppCertificate: certificate.replace("us-east-1", "eu-west-1") },
  ],
])("a wrong %s is refused: %o", (name, context) => {
  expect(() => edgeOf(context as Record<string, string>)).toThrow(`${name} must be`);
});
