import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Template } from "aws-cdk-lib/assertions";
import { ensureBundles } from "./bundle.ts";
import type { Deployment } from "./deployment.ts";
import { paymentApp } from "./payment-app.ts";

const cdkJson = JSON.parse(readFileSync(join(dirname(import.meta.dirname), "cdk.json"), "utf8"));

await ensureBundles();

/** The context of a stage with domains of its own, the most that a template holds. */
export const addresses = {
  payerAppUrl: "https://pay.example.com",
  payerAppCertificate: "arn:aws:acm:us-east-1:123456789012:certificate/0f0f",
  apiDomain: "api.example.com",
  apiCertificate: "arn:aws:acm:eu-west-1:123456789012:certificate/0f0f",
  originSecret: "7",
  paymentDocumentDays: "2555",
  docs: "off",
};

/** Settings that add to the plain stage of production and change nothing else in it. */
export const additions = {
  connectorFormerUrls: "https://rail.example/v1 https://old.example",
  twoPersons: "on",
  diffRepository: "acme/payments",
  alarmEmail: "on-call@example.com",
  alarmTopicArn: "arn:aws:sns:eu-west-1:123456789012:on-call",
};

const known = new Map<string, Made>();

/** The templates of a stage, made once for all files of a process. Nobody changes them. */
export function synthesize(stage: Deployment["stage"], context: Readonly<Record<string, string>> = {}): Made {
  const name = JSON.stringify([stage, context]);
  const made = known.get(name) ?? synthesizeAnew(stage, context);
  known.set(name, made);
  return made;
}

/**
 * The templates of a stage, as `cdk synth` makes them. Throws if a rule of cdk-nag calls anything an error.
 * CloudFormation's own rules take most of the time, and judge only if `rules` is "all".
 */
export function synthesizeAnew(
  stage: Deployment["stage"],
  context: Readonly<Record<string, string>> = {},
  rules: "cdk-nag" | "all" = "cdk-nag",
) {
  process.env["CDK_VALIDATION"] = String(rules === "all");
  const outdir = mkdtempSync(join(tmpdir(), "synth-"));
  // The bundles are not copied, because only the templates are asserted.
  const settings = { ...cdkJson.context, stage, ...context, "aws:cdk:bundling-stacks": [] };
  const { app, stateful, api, routes } = paymentApp({ outdir, context: settings, treeMetadata: false });
  app.synth();
  const { pluginReports } = JSON.parse(readFileSync(join(outdir, "validation-report.json"), "utf8")) as Report;
  const made = {
    routes,
    findings: pluginReports.flatMap(({ violations }) => violations.map(({ ruleName }) => ruleName)),
    acknowledged: pluginReports.flatMap(({ suppressedViolations = [] }) => suppressedViolations),
    data: Template.fromStack(stateful),
    api: Template.fromStack(api),
    monitoring: Template.fromStack(api.monitoring),
    paths: api.paths.map((stack) => Template.fromStack(stack)),
  };
  rmSync(outdir, { recursive: true });
  return made;
}

/** The findings of the rules, warnings included; acknowledged findings are apart. */
type Report = Readonly<{
  pluginReports: readonly Readonly<{
    violations: readonly Readonly<{ ruleName: string }>[];
    suppressedViolations?: readonly Readonly<{ ruleName: string; reason: string }>[];
  }>[];
}>;

export type Made = ReturnType<typeof synthesizeAnew>;

type Properties = Readonly<Record<string, unknown>>;

/** The resources of one type, by their logical ids. */
export const resourcesOf = (template: Template, type: string): [string, Properties][] =>
  Object.entries(template.findResources(type)).map(([id, { Properties }]) => [id, (Properties ?? {}) as Properties]);
