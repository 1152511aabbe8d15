import { COMPRESSION_BYTES_MIN } from "@intents/contract/compression.ts";
import { rateLimits } from "@intents/contract/rate-limits.ts";
import { methodsOf } from "@intents/contract/route.ts";
import { describe, expect, test } from "vitest";
import { resourcesOf, synthesize } from "./synth-fixture.ts";

const sandbox = synthesize("sandbox");
const production = synthesize("production");
const stages = [
  ["sandbox", sandbox],
  ["production", production],
] as const;
type Made = typeof sandbox;

/** The name of a function, as its logical id spells it. */
const inId = (name: string): string => name.replaceAll("-", "");

/** Methods by verb and path, with the paths put together again from their resources. */
function deployedMethods({ api, paths }: Made): Map<string, Record<string, unknown>> {
  const templates = [api, ...paths];
  const parts = new Map(templates.flatMap((template) => resourcesOf(template, "AWS::ApiGateway::Resource")));
  const pathOf = (id: unknown): string => {
    const part = parts.get((id as { Ref?: string }).Ref ?? "");
    return part === undefined ? "" : `${pathOf(part["ParentId"])}/${part["PathPart"]}`;
  };
  const methods = templates
    .flatMap((template) => resourcesOf(template, "AWS::ApiGateway::Method"))
    .map(([, method]) => method);
  return new Map(methods.map((method) => [`${method["HttpMethod"]} ${pathOf(method["ResourceId"]) || "/"}`, method]));
}

describe.each(stages)("the API of %s", (_, made) => {
  test("takes every route of the table, with a key exactly where the table asks for one", () => {
    const methods = deployedMethods(made);
    expect(made.routes.length).toBeGreaterThan(30);
    const asked = made.routes.flatMap((route) =>
      methodsOf(route).map((verb) => ({ ...route, on: route.on.replace(/^\S+/, verb) })),
    );
    for (const { on, auth, group } of asked) {
      const method = methods.get(on);
      expect(method?.["ApiKeyRequired"] ?? false, on).toBe(auth === "key");
      expect(method, on).toMatchObject({
        AuthorizationType: auth === "key" ? "CUSTOM" : "NONE",
        Integration: { Type: "AWS_PROXY", TimeoutInMillis: 29_000 },
      });
      expect(JSON.stringify(method?.["Integration"]), on).toContain(`Function${inId(group)}Function`);
    }
    const verbs = [...methods.keys()].filter((name) => !name.startsWith("ANY "));
    expect(verbs.toSorted()).toEqual(asked.map(({ on }) => on).toSorted());
  });

  test("answers every other method and path through the fallback", () => {
    const methods = deployedMethods(made);
    const any = [...methods].filter(([name]) => name.startsWith("ANY "));
    const paths = new Set([...methods.keys()].map((name) => name.replace(/^\S+ /, "")));
    expect(any).toHaveLength(paths.size);
    expect(any.map(([name]) => name)).toEqual(expect.arrayContaining(["ANY /", "ANY /{proxy+}", "ANY /v2/payees"]));
    for (const [, method] of any) expect(JSON.stringify(method)).toContain("FunctionfallbackFunction");
  });

  test("asks the authorizer by the key alone and believes it for a minute", () => {
    made.api.hasResourceProperties("AWS::ApiGateway::Authorizer", {
      Type: "REQUEST",
      IdentitySource: "method.request.header.X-API-Key",
      AuthorizerResultTtlInSeconds: 60,
    });
    made.api.hasResourceProperties("AWS::ApiGateway::RestApi", {
      ApiKeySourceType: "AUTHORIZER",
      BinaryMediaTypes: ["*/*"],
      MinimumCompressionSize: COMPRESSION_BYTES_MIN,
    });
    made.api.hasResourceProperties("AWS::ApiGateway::UsagePlan", { Throttle: { RateLimit: 200, BurstLimit: 400 } });
  });

  test("throttles the methods that have a limit of their own, those of links far above one payer's", () => {
    const [[, api]] = resourcesOf(made.api, "AWS::ApiGateway::Stage") as [[string, { MethodSettings: object[] }]];
    const expected = made.routes.flatMap((route) => {
      if (route.limit === undefined) return [];
      const [, path = ""] = route.on.split(" ");
      const ThrottlingRateLimit = rateLimits[route.limit].per === "token" ? 500 : 50;
      const ResourcePath = path.replaceAll("/", "~1").replace("~1", "/~1");
      return methodsOf(route).map((HttpMethod) => ({ HttpMethod, ResourcePath, ThrottlingRateLimit }));
    });
    const throttled = api.MethodSettings.filter((setting) => "ThrottlingRateLimit" in setting);
    expect(throttled).toEqual(expect.arrayContaining(expected.map((setting) => expect.objectContaining(setting))));
    expect(throttled).toHaveLength(expected.length);
    expect(expected.length).toBeGreaterThanOrEqual(4);
  });

  test("lets API Gateway call each function by one permission, far below 20 KB", () => {
    const permissions = resourcesOf(made.api, "AWS::Lambda::Permission");
    const byFunction = Map.groupBy(permissions, ([, { FunctionName }]) => JSON.stringify(FunctionName));
    // The schedule runs one function by two rules, each minute and each hour.
    for (const [name, granted] of byFunction) expect(granted, name).toHaveLength(name.includes("dispatchdue") ? 2 : 1);
    expect(Math.max(...permissions.map((permission) => JSON.stringify(permission).length))).toBeLessThan(2_000);
  });

  test("takes no connection below TLS 1.2", () => {
    made.api.hasResourceProperties("AWS::ApiGateway::RestApi", {
      SecurityPolicy: "SecurityPolicy_TLS13_1_2_PQ_2025_09",
      EndpointAccessMode: "BASIC",
    });
  });

  test("is followed by X-Ray from the API through every function that it calls, and through no other", () => {
    made.api.hasResourceProperties("AWS::ApiGateway::Stage", { TracingEnabled: true });
    const called = new Set([...made.routes.map(({ group }) => group), "authorizer", "fallback"]);
    const functions = resourcesOf(made.api, "AWS::Lambda::Function");
    const traced = functions.filter(([, { TracingConfig }]) => TracingConfig !== undefined);
    expect(traced.length).toBe(called.size);
    for (const [id, { FunctionName, TracingConfig }] of traced) {
      expect(called, id).toContain(String(FunctionName).replace(/^payment-intents-[a-z]+-/, ""));
      expect(TracingConfig, id).toEqual({ Mode: "Active" });
    }
  });

  test("logs who called from where, and neither paths, queries, headers nor tokens", () => {
    const [[, api]] = resourcesOf(made.api, "AWS::ApiGateway::Stage") as [
      [string, { AccessLogSetting: { Format: string } }],
    ];
    const logged = Object.values(JSON.parse(api.AccessLogSetting.Format) as Record<string, string>);
    for (const field of ["resourcePath", "authorizer.principalId", "identity.sourceIp", "tlsVersion"])
      expect(logged).toContain(`$context.${field}`);
    for (const field of logged) expect(field).not.toMatch(/context\.path$|querystring|header|apiKey$|userAgent/);
  });
});

describe("errors that API Gateway makes", () => {
  const answers = resourcesOf(sandbox.api, "AWS::ApiGateway::GatewayResponse").map(([, properties]) => properties);
  const bodyOf = (answer: Record<string, unknown>) =>
    JSON.parse((answer["ResponseTemplates"] as Record<string, string>)["application/json"] ?? "");

  test("wear the envelope, with the status they are sent with, the request's id and what browsers must not do", () => {
    expect(answers.length).toBeGreaterThan(15);
    for (const answer of answers) {
      expect(bodyOf(answer)).toMatchObject({
        statusCode: Number(answer["StatusCode"]),
        message: expect.any(String),
        timestamp: "$context.requestTimeEpoch",
        details: { requestId: "$context.requestId" },
      });
      expect(answer["ResponseParameters"]).toMatchObject({
        "gatewayresponse.header.X-Request-Id": "context.requestId",
        "gatewayresponse.header.Strict-Transport-Security": "'max-age=31536000'",
        "gatewayresponse.header.X-Content-Type-Options": "'nosniff'",
      });
    }
  });

  test.each([
    ["UNAUTHORIZED", 401, "[GEN9001]"],
    ["ACCESS_DENIED", 403, "[GEN9004]"],
    ["WAF_FILTERED", 403, undefined],
    ["MISSING_AUTHENTICATION_TOKEN", 404, "[GEN9003]"],
    ["RESOURCE_NOT_FOUND", 404, "[GEN9003]"],
    ["REQUEST_TOO_LARGE", 413, "[GEN9013]"],
    ["UNSUPPORTED_MEDIA_TYPE", 415, "[GEN9015]"],
    ["THROTTLED", 429, undefined],
    ["INTEGRATION_FAILURE", 502, "[GEN9000]"],
    ["INTEGRATION_TIMEOUT", 504, "[GEN9000]"],
    ["AUTHORIZER_FAILURE", 500, "[GEN9000]"],
  ])("%s is %i %s", (type, status, code) => {
    const answer = answers.find(({ ResponseType }) => ResponseType === type);
    expect(answer?.["StatusCode"]).toBe(String(status));
    expect(bodyOf(answer ?? {}).code).toBe(code);
  });

  test("of the firewall say that it was the firewall, and not the key", () => {
    const filtered = answers.find(({ ResponseType }) => ResponseType === "WAF_FILTERED");
    expect(bodyOf(filtered ?? {}).message).toMatch(/^The firewall refused the request/);
  });

  test("of a missing or wrong key tell by what a caller can prove itself", () => {
    const refused = answers.filter(({ StatusCode }) => StatusCode === "401");
    expect(refused.length).toBeGreaterThan(0);
    for (const { ResponseParameters } of refused) {
      expect(ResponseParameters).toMatchObject({ "gatewayresponse.header.WWW-Authenticate": "'ApiKey'" });
    }
  });

  test("of throttling tell when to come back", () => {
    const throttled = answers.find(({ ResponseType }) => ResponseType === "THROTTLED");
    expect(throttled?.["ResponseParameters"]).toMatchObject({
      "gatewayresponse.header.Retry-After": "'1'",
      "gatewayresponse.header.X-RateLimit-Limit": "'200'",
      "gatewayresponse.header.X-RateLimit-Remaining": "'0'",
    });
  });
});
