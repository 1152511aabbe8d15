import { App, Stack } from "aws-cdk-lib";
import { Annotations, Match } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { readDeployment } from "./deployment.ts";
import { lookForPrerequisites } from "./prerequisites.ts";

const nodeWith = (context: Readonly<Record<string, unknown>>) => new App({ context }).node;

describe("the names of -c", () => {
  test.each([
    ["Stage", "stage"],
    ["stag", "stage"],
    ["two-persons", "twoPersons"],
    ["payerAppCertficate", "payerAppCertificate"],
    ["savedDocumentsDays", "savedDocumentDays"],
  ])("%s is refused, and %s suggested", (name, nearest) => {
    const read = () => readDeployment(nodeWith({ [name]: "production" }));
    expect(read).toThrow(`-c ${name}=… is not known: did you mean ${nearest}?`);
  });

  test("that are wrong are told one line each", () => {
    expect(() => readDeployment(nodeWith({ stge: "production", emulate: "true" }))).toThrow(
      "-c stge=… is not known: did you mean stage?\n-c emulate=… is not known: did you mean emulated?",
    );
  });

  test("may be the CDK's own", () => {
    const own = { "@aws-cdk/core:a": true, "aws:cdk:b": 1, "cli-telemetry": false, "availability-zones:account=1": [] };
    expect(readDeployment(nodeWith({ ...own, stage: "production" })).stage).toBe("production");
  });
});

describe("the values of -c", () => {
  test.each([
    ["stage", "Production", "stage must be sandbox or production"],
    ["canary", "yes", "canary must be true or false"],
    ["mainTable", "a b", "mainTable must be the name of a table"],
    ["prefix", "", "prefix must be at most 20 of a-z, 0-9 and single hyphens"],
    ["prefix", "Acme", "prefix must be at most 20"],
    ["prefix", "acme-", "prefix must be at most 20"],
    ["prefix", "a-name-of-21-letters-", "prefix must be at most 20"],
    ["prefix", "aws-acme", "and not begin with aws or ssm"],
    ["prefix", "ssm", "and not begin with aws or ssm"],
    ["alarmEmail", "", "alarmEmail must be an e-mail address"],
    ["alarmEmail", "on-call", "alarmEmail must be an e-mail address"],
    ["alarmEmail", "a@example.com, b@example.com", "alarmEmail must be an e-mail address"],
    ["legalName", "Payments\nLtd", "legalName must be a line of at most 200 characters"],
    ["supportContact", "Ana", "supportContact must be an e-mail address, a telephone number"],
    ["privacyUrl", "http://pay.example.com", "privacyUrl must be an https address"],
    ["alarmTopicArn", "on-call", "alarmTopicArn must be the ARN of a standard SNS topic"],
    ["alarmTopicArn", "arn:aws:sns:eu-west-1:123456789012:a.fifo", "alarmTopicArn must be the ARN of a standard"],
    ["alarmTopicArn", "arn:aws:sqs:eu-west-1:123456789012:a", "alarmTopicArn must be the ARN of a standard"],
  ])("%s=%s is refused", (name, value, reason) => {
    expect(() => readDeployment(nodeWith({ [name]: value }))).toThrow(reason);
  });

  test("ask for canaries where there is CodeDeploy alone", () => {
    expect(readDeployment(nodeWith({ canary: "true" })).canary).toBe(true);
    expect(readDeployment(nodeWith({})).canary).toBe(false);
    expect(() => readDeployment(nodeWith({ canary: "true", emulated: "true" }))).toThrow("an emulator lacks");
  });

  test("of a restored table name the stream that production follows", () => {
    const streamArn = "arn:aws:dynamodb:eu-west-1:123456789012:table/restored-1/stream/2026-11-23T00:00:00.000";
    const read = (stage: string, mainTable: string) => readDeployment(nodeWith({ stage, mainTable })).mainTable;
    expect(read("production", streamArn)).toEqual({ name: "restored-1", streamArn });
    expect(read("sandbox", "restored-1")).toEqual({ name: "restored-1" });
    expect(() => read("production", "restored-1")).toThrow("mainTable must be the ARN of the stream of a table");
    expect(() => read("sandbox", streamArn)).toThrow("mainTable must be the name of a table");
  });

  test("are read as they stand", () => {
    const given = {
      prefix: "acme-2",
      alarmEmail: "on-call@pay.example.com",
      alarmTopicArn: "arn:aws:sns:us-east-1:123456789012:on-call",
    };
    expect(readDeployment(nodeWith(given))).toMatchObject(given);
  });
});

describe("what production needs beforehand", () => {
  const target = { account: "123456789012", region: "eu-west-1" };
  const keys = [
    "payment-intents:ssm:123456789012:eu-west-1:/payment-intents/production/connector-url",
    "payment-intents:cc-api-provider:123456789012:eu-west-1:payment-intents/production/connector-secret",
  ];

  /** Synthesizes a stack that has looked for its prerequisites, with what the command line has found. */
  function look(
    context: Readonly<Record<string, unknown>>,
    where: Parameters<typeof lookForPrerequisites>[2] = target,
  ) {
    const app = new App({ context });
    const stack = new Stack(app, "Api");
    lookForPrerequisites(stack, readDeployment(app.node), where);
    return { stack, missing: app.synth().manifest.missing ?? [] };
  }
  const imprint = {
    legalName: "Payments Pty Ltd",
    licence: "Licence 1",
    supportContact: "help@example.com",
    privacyUrl: "https://example.com/privacy",
    termsUrl: "https://example.com/terms",
    complaintsUrl: "https://example.com/complaints",
  };
  const settings = { alarmEmail: "on-call@example.com", ...imprint };
  const linesOf = ({ stack }: ReturnType<typeof look>) => {
    const warnings = Annotations.fromStack(stack);
    const entries = [...warnings.findError("*", Match.anyValue()), ...warnings.findWarning("*", Match.anyValue())];
    return entries.map(({ level, entry }) => [level, String(entry.data)] as const);
  };

  test("is looked up in the account and region of the deployment", () => {
    const looked = look({ stage: "production", ...settings });
    expect(looked.missing.map(({ key }) => key)).toEqual(keys);
    expect(looked.missing.map(({ props }) => props)).toEqual([
      expect.objectContaining({ ...target, parameterName: "/payment-intents/production/connector-url" }),
      expect.objectContaining({ ...target, exactIdentifier: "payment-intents/production/connector-secret" }),
    ]);
    expect(linesOf(looked)).toEqual([]);
  });

  test("is told in one line each where it is missing", () => {
    const absent = { $providerError: "not there" };
    const lines = linesOf(
      look({ stage: "production", ...settings, ...Object.fromEntries(keys.map((key) => [key, absent])) }),
    );
    expect(lines).toEqual([
      [
        "error",
        expect.stringMatching(/^Production needs .*put-parameter --type String --name \/payment-intents\/[^\n]*$/),
      ],
      ["warning", expect.stringMatching(/^Production pays only with [^\n]*production\/connector-secret[^\n]*$/)],
    ]);
  });

  test("is there where it was found", () => {
    const looked = look({
      stage: "production",
      ...settings,
      [keys[0] ?? ""]: "https://rail.example",
      [keys[1] ?? ""]: [{}],
    });
    expect([looked.missing, linesOf(looked)]).toEqual([[], []]);
  });

  test("is somebody who is told of alarms", () => {
    const nowhere = { account: undefined, region: undefined };
    expect(linesOf(look({ stage: "production", ...imprint }, nowhere))).toEqual([
      [
        "warning",
        expect.stringMatching(/^Nobody is told of alarms: deploy with -c alarmEmail=… or -c alarmTopicArn=…/),
      ],
    ]);
    for (const context of [{ stage: "production", ...settings }, { stage: "sandbox" }])
      expect(linesOf(look(context, nowhere))).toEqual([]);
  });

  test("is an imprint for payers, whose missing parts are told in one line", () => {
    const { licence: _, termsUrl: __, ...some } = settings;
    expect(linesOf(look({ stage: "production", ...some }, { account: undefined, region: undefined }))).toEqual([
      ["warning", expect.stringMatching(/^Payers are not told all .*: deploy with -c licence=… -c termsUrl=…, unless/)],
    ]);
  });

  test.each(["sandbox", "production"])("is a topic in the region of %s, whose alarms tell no other", (stage) => {
    const at = (region: string) => ({ alarmTopicArn: `arn:aws:sns:${region}:123456789012:on-call` });
    expect(linesOf(look({ stage, ...imprint, ...at("eu-west-1") }))).toEqual([]);
    const lines = linesOf(look({ stage, ...imprint, ...at("us-east-1") }));
    expect(lines).toEqual([
      ["error", "alarmTopicArn must be of eu-west-1: alarms tell only topics of their own region"],
    ]);
  });

  test.each([
    [{ stage: "sandbox" }, target],
    [{ stage: "production", emulated: "true" }, target],
    [{ stage: "production" }, { account: undefined, region: undefined }],
  ])("is not looked for by %j in %j", (context, where) => {
    expect(look(context, where).missing).toEqual([]);
  });
});
