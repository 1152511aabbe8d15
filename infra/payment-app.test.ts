import { routes as allRoutes } from "@intents/contract/routes.ts";
import { describe, expect, test } from "vitest";
import { addresses, type Made, resourcesOf, synthesize, synthesizeAnew } from "./synth-fixture.ts";

const sandbox = synthesize("sandbox");
const production = synthesize("production");
const again = synthesizeAnew("sandbox");
const ownDomain = synthesize("production", addresses);
const setApart = synthesize("sandbox", { reservedConcurrency: "20", questionsMax: "30", emulated: "true" });
const stages = [
  ["sandbox", sandbox],
  ["production", production],
] as const;

const handlers = ["authorizer", "fallback", "dispatch-due", "advance-intent", "daily", "deliver-webhooks"];
type Statement = { Effect: string; Action: string | string[]; Resource: unknown; Condition?: unknown };
const listOf = <Value>(value: Value | Value[]): Value[] => (Array.isArray(value) ? value : [value]);

/** Every statement of every role and policy of a stage. */
const statementsOf = ({ api }: Made): Statement[] =>
  [...resourcesOf(api, "AWS::IAM::Role"), ...resourcesOf(api, "AWS::IAM::Policy")].flatMap(([, properties]) => {
    const { Policies = [], PolicyDocument } = properties as Record<string, never>;
    const documents = [
      ...(Policies as { PolicyDocument: unknown }[]).map((policy) => policy.PolicyDocument),
      PolicyDocument,
    ];
    return documents.flatMap((document) => (document as { Statement: Statement[] } | undefined)?.Statement ?? []);
  });

describe.each(stages)("%s", (stage, made) => {
  test("has nothing that cdk-nag finds and nobody has acknowledged", () => {
    expect(made.findings).toEqual([]);
    expect(made.acknowledged.length).toBeGreaterThan(0);
    for (const { ruleName, reason } of made.acknowledged) expect(reason.length, ruleName).toBeGreaterThan(20);
  });

  test("has no action with a wildcard, and no resource with one but an area of its own bucket", () => {
    const allowed = statementsOf(made).filter(({ Effect }) => Effect === "Allow");
    expect(allowed.flatMap(({ Action }) => listOf(Action)).filter((action) => action.includes("*"))).toEqual([]);
    const wild = allowed
      // No resource could be named for these.
      .filter(({ Action }) => !listOf(Action).every((action) => action.startsWith("xray:Put")))
      .flatMap(({ Resource }) => listOf(Resource))
      .filter((resource) => JSON.stringify(resource).includes("*"));
    const bucket = { "Fn::ImportValue": expect.stringMatching(`^payment-intents-${stage}-data-(documents|history)$`) };
    const area = expect.stringMatching(
      /^\/((tmp|kept|saved|requests|exporting|exports|payers\/(tmp|kept))\/|T#\*#(LEDGER|AUDIT|READ)#)\*$/,
    );
    for (const resource of wild) expect(resource).toEqual({ "Fn::Join": ["", [bucket, area]] });
  });

  test("runs every function on ARM with 28 seconds, its own log, and no more than it is told", () => {
    const functions = resourcesOf(made.api, "AWS::Lambda::Function");
    const groups = new Set(made.routes.map(({ group }) => group));
    expect(functions).toHaveLength(groups.size + handlers.length + (stage === "production" ? 1 : 0));
    for (const [id, properties] of functions) {
      expect(properties, id).toMatchObject({
        Runtime: "nodejs24.x",
        Architectures: ["arm64"],
        MemorySize: 1024,
        // No caller waits for the daily function.
        Timeout: id.startsWith("Functiondaily") ? 900 : 28,
      });
      expect(properties, id).toHaveProperty("LoggingConfig.LogGroup");
      const { Variables = {} } = (properties["Environment"] ?? {}) as { Variables?: object };
      const knowsSecret = "CONNECTOR_SECRET" in Variables;
      expect(knowsSecret, id).toBe(
        stage === "production" && /paymentintents|paymentlinks|advanceintent|daily/.test(id),
      );
      // A function that payers reach through CloudFront must know where they come from, and no other is told how.
      expect("ORIGIN_SECRET" in Variables, id).toBe(/^Function(paymentlinks|payerpage|openapi|sandboxrail)/.test(id));
    }
    for (const [id, log] of resourcesOf(made.api, "AWS::Logs::LogGroup")) {
      expect(log["RetentionInDays"], id).toBe(stage === "production" ? 365 : 30);
    }
  });

  test("lets messages come one by one from the queue, and the clock tick every minute and every night", () => {
    made.api.hasResourceProperties("AWS::Lambda::EventSourceMapping", {
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      BatchSize: 10,
    });
    for (const [name, ScheduleExpression] of [
      ["dispatchdue", "rate(1 minute)"],
      ["dispatchdue", "rate(1 hour)"],
      ["daily", "cron(30 3 * * ? *)"],
    ]) {
      const Arn = { "Fn::GetAtt": [expect.stringMatching(`^Function${name}`), "Arn"] };
      const rules = resourcesOf(made.api, "AWS::Events::Rule").map(([, rule]) => rule);
      expect(rules).toContainEqual(
        expect.objectContaining({ ScheduleExpression, State: "ENABLED", Targets: [expect.objectContaining({ Arn })] }),
      );
    }
    const mappings = resourcesOf(made.api, "AWS::Lambda::EventSourceMapping").map(([, mapping]) => mapping);
    const asked = mappings.filter(({ BatchSize }) => BatchSize === 1);
    // Rails are asked by a queue of their own, one question in a message, so many at once and no more.
    expect(asked).toHaveLength(1);
    const capped = mappings.filter(({ StartingPosition }) => StartingPosition === undefined);
    // A new account has 10 instances, of which two are left for requests, ticks and copies when all queues are full.
    const atOnce = capped.map(
      ({ ScalingConfig }) => (ScalingConfig as { MaximumConcurrency: number }).MaximumConcurrency,
    );
    expect(atOnce).toEqual(capped.map(() => 2));
    expect(atOnce.length).toBeLessThanOrEqual(4);
    const queues = resourcesOf(made.data, "AWS::SQS::Queue").map(([, queue]) => queue);
    const works = { VisibilityTimeout: 168, SqsManagedSseEnabled: true, RedrivePolicy: { maxReceiveCount: 5 } };
    expect(queues.filter((queue) => queue["RedrivePolicy"] !== undefined)).toMatchObject(Array(3).fill(works));
  });

  test("stands behind a firewall, and so does CloudFront", () => {
    const firewalls = resourcesOf(made.api, "AWS::WAFv2::WebACL");
    expect(firewalls.map(([, { Scope }]) => Scope).toSorted()).toEqual(["CLOUDFRONT", "REGIONAL"]);
    const [[, association]] = resourcesOf(made.api, "AWS::WAFv2::WebACLAssociation") as [[string, object]];
    expect(association).toMatchObject({ WebACLArn: { "Fn::GetAtt": [expect.stringMatching(/^Firewall/), "Arn"] } });
  });

  test("tells functions and operators where payers find it: at CloudFront", () => {
    const address = {
      "Fn::Join": ["", ["https://", { "Fn::GetAtt": [expect.stringMatching(/^Edge/), "DomainName"] }]],
    };
    expect(made.api.findOutputs("PayerAppUrl")["PayerAppUrl"]?.["Value"]).toEqual(address);
    const functions = resourcesOf(made.api, "AWS::Lambda::Function");
    const [, submitter] = functions.find(([id]) => id.startsWith("Functionpaymentintents")) ?? [];
    expect(submitter).toMatchObject({ Environment: { Variables: { PAYER_APP_URL: address } } });
  });

  test("fits a stack with room to grow", () => {
    for (const template of [made.api, made.data, made.monitoring]) {
      expect(Object.keys(template.toJSON()["Resources"]).length).toBeLessThan(450);
      expect(JSON.stringify(template.toJSON()).length).toBeLessThan(900_000);
    }
  });
});

describe("a deployment", () => {
  test("to production has nothing of the simulated rail", () => {
    expect(JSON.stringify(production.api.toJSON())).not.toMatch(/sandbox/i);
    production.data.resourceCountIs("AWS::DynamoDB::Table", 2);
    sandbox.data.resourceCountIs("AWS::DynamoDB::Table", 3);
    expect(production.routes.length).toBe(
      Object.values(allRoutes).filter(({ on }) => !on.includes(" /sandbox/")).length,
    );
  });

  test("has the documentation, in production too, unless it is switched off, and knows no key that everybody does", () => {
    const functionsOf = (made: Made) => resourcesOf(made.api, "AWS::Lambda::Function").map(([id]) => id);
    for (const made of [sandbox, production])
      expect(functionsOf(made)).toContainEqual(expect.stringMatching(/^Functiondocs/));
    expect(functionsOf(ownDomain)).not.toContainEqual(expect.stringMatching(/^Functiondocs/));
    for (const made of [sandbox, production, ownDomain]) expect(JSON.stringify(made.api)).not.toContain("DEMO_KEYS");
  });

  test("to an emulator has no CloudFront, no firewall and no secret between them", () => {
    for (const type of ["AWS::CloudFront::Distribution", "AWS::WAFv2::WebACL", "AWS::SecretsManager::Secret"])
      setApart.api.resourceCountIs(type, 0);
    const { PayerAppUrl, BaseUrl } = setApart.api.findOutputs("*");
    expect(PayerAppUrl).toEqual(BaseUrl);
    expect(JSON.stringify(setApart.api.toJSON())).not.toContain("ORIGIN_SECRET");
  });

  test("to a domain of one's own knows its address", () => {
    const { PayerAppUrl, BaseUrl, ApiDomainTarget } = ownDomain.api.findOutputs("*");
    expect([PayerAppUrl?.["Value"], BaseUrl?.["Value"]]).toEqual([
      "https://pay.example.com",
      "https://api.example.com",
    ]);
    expect(ApiDomainTarget).toBeDefined();
    ownDomain.api.hasResourceProperties("AWS::ApiGateway::RestApi", { DisableExecuteApiEndpoint: true });
    ownDomain.api.hasResourceProperties("AWS::ApiGateway::DomainName", {
      DomainName: "api.example.com",
      SecurityPolicy: "TLS_1_2",
    });
    ownDomain.api.resourceCountIs("AWS::ApiGateway::BasePathMapping", 1);
    const [distribution] = Object.values(ownDomain.api.findResources("AWS::CloudFront::Distribution"));
    const origin = distribution?.["Properties"].DistributionConfig.Origins[0];
    expect(origin).toMatchObject({ DomainName: "api.example.com" });
    expect(origin).not.toHaveProperty("OriginPath");
  });

  test("changes CloudFront's secret by its number, with the next one accepted beforehand, and the edge first", () => {
    const secrets = (made: Made) => resourcesOf(made.api, "AWS::SecretsManager::Secret").map(([id]) => id.slice(0, -8));
    expect(secrets(sandbox)).toEqual(["EdgeOriginSecret", "EdgeOriginSecret2"]);
    expect(secrets(ownDomain)).toEqual(["EdgeOriginSecret7", "EdgeOriginSecret8"]);
    const [distribution] = Object.entries(ownDomain.api.findResources("AWS::CloudFront::Distribution"));
    const [edgeId = "", edge] = distribution ?? [];
    expect(JSON.stringify(edge)).toContain("EdgeOriginSecret7");
    expect(JSON.stringify(edge)).not.toContain("EdgeOriginSecret8");
    const links = Object.entries(ownDomain.api.findResources("AWS::Lambda::Function")).find(([id]) =>
      id.startsWith("Functionpaymentlinks"),
    );
    const firewall = Object.entries(ownDomain.api.findResources("AWS::WAFv2::WebACL")).find(([id]) =>
      id.startsWith("Firewall"),
    );
    for (const [id, checking] of [links, firewall].flatMap((found) => (found === undefined ? [] : [found]))) {
      expect(JSON.stringify(checking), id).toMatch(/EdgeOriginSecret7.*EdgeOriginSecret8/);
      expect(checking["DependsOn"], id).toContain(edgeId);
    }
  });

  test("may say how long it keeps documents", () => {
    const settings = ({ api }: Made) =>
      resourcesOf(api, "AWS::Lambda::Function").flatMap(([, properties]) => {
        const { Variables = {} } = (properties["Environment"] ?? {}) as { Variables?: Record<string, unknown> };
        return Object.entries(Variables).flatMap(([name, value]) => (/_DOCUMENT_DAYS$/.test(name) ? [value] : []));
      });
    expect(new Set(settings(ownDomain))).toEqual(new Set(["2555"]));
    expect(settings(production)).toEqual([]);
  });

  test("is the same when nothing has changed", () => {
    expect(again.api.toJSON()).toEqual(sandbox.api.toJSON());
    expect(again.data.toJSON()).toEqual(sandbox.data.toJSON());
  });

  test("may set instances apart for submitting and polling, and does not by default", () => {
    const reserved = ({ api }: Made) =>
      resourcesOf(api, "AWS::Lambda::Function").filter(
        ([, properties]) => "ReservedConcurrentExecutions" in properties,
      );
    expect(reserved(sandbox)).toEqual([]);
    const some = reserved(setApart).map(([id, properties]) => [
      id.replace(/^Function(.*)Function.{8}$/, "$1"),
      properties["ReservedConcurrentExecutions"],
    ]);
    // The poller has instances for all that its queues give it at once: 30 of each of two.
    expect(Object.fromEntries(some)).toEqual({ advanceintent: 60, paymentintents: 20, paymentlinks: 20 });
  });

  test.each([
    ["stage", "prod"],
    ["reservedConcurrency", "0"],
    ["questionsMax", "1"],
    ["emulated", "maybe"],
    ["payerAppUrl", "http://pay.example.com"],
    ["apiDomain", "https://api.example.com"],
    ["originSecret", "0"],
    ["paymentDocumentDays", "0"],
    ["savedDocumentDays", "36501"],
    ["savedDocumentDays", "five years"],
  ])("refuses a %s of %s", (name, value) => {
    expect(() => synthesize("sandbox", { [name]: value })).toThrow(`${name} must be`);
  });
});
