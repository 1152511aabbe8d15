import { PREFIX, PREFIX_LENGTH_MAX } from "@intents/deployment/names.ts";
import { DOCUMENT_DAYS_MAX, readFormerUrls, Unreadable } from "@intents/deployment/settings.ts";
import type { Node } from "constructs";
import { type ImprintOptions, imprintNames, readImprint } from "./imprint.ts";

/** A deployment that cannot be made as it was asked for. The message has one line for each reason. */
export class InvalidDeployment extends Error {}

/** The names that `-c` knows. */
export const contextNames = [
  "stage",
  "prefix",
  "reservedConcurrency",
  "questionsMax",
  "emulated",
  "payerAppUrl",
  "payerAppCertificate",
  "apiDomain",
  "apiCertificate",
  "originSecret",
  "connectorFormerUrls",
  "twoPersons",
  "docs",
  "paymentDocumentDays",
  "savedDocumentDays",
  "mainTable",
  "canary",
  "alarmEmail",
  "alarmTopicArn",
  "diffRepository",
  ...imprintNames,
] as const;
type ContextName = (typeof contextNames)[number];

/** A table that was restored by its name, and the stream of its changes where the stage follows them. */
type MainTable = Readonly<{ name: string; streamArn?: string }>;

/** The options of a deployment, given on the command line as `-c <name>=<value>`. */
export type Deployment = Readonly<{
  stage: "sandbox" | "production";
  /** The beginning of all names in the deployment, so that it lives beside other deployments. */
  prefix: string | undefined;
  /** Instances reserved for each function that submits and for the poller. Off by default: a new account has 10. */
  reservedConcurrency: number | undefined;
  /** The instances that work on one queue at once: 2 at least, by AWS, and by default, as a new account has 10 in all. */
  questionsMax: number;
  /**
   * The address of an emulator, if the deployment is not to AWS. It leaves out CloudFront and the web firewall, which
   * emulators lack, and the API is known by the emulator's address.
   */
  emulator: string | undefined;
  /** A domain of one's own for the payer page, and its certificate, which must be in us-east-1 for CloudFront. */
  payerApp: Readonly<{ url: string; certificateArn: string }> | undefined;
  /** A domain of one's own for the API, and its certificate. The API's default address is off with it. */
  apiDomain: Readonly<{ name: string; certificateArn: string }> | undefined;
  /** Which secret CloudFront proves itself by. The next one is accepted already, so that a change is one deployment. */
  originSecret: number;
  /**
   * The addresses of rails before they moved, as CONNECTOR_FORMER_URLS has them: questions about payments that they took
   * there go there.
   */
  connectorFormerUrls: string | undefined;
  /** Whether paying commission requests and resolving intents takes two operators. */
  twoPersons: "off" | "on";
  /** Whether the stage has the documentation at `/docs`: it has, unless it is said otherwise. */
  docs: "off" | "on";
  /** How long documents are kept, in days: after their payment ended, and after they were saved. */
  paymentDocumentDays: number | undefined;
  savedDocumentDays: number | undefined;
  /** Whether functions that pay begin with a tenth of their calls when they change, and go back by their alarms. */
  canary: boolean;
  /** A restored table, in the place of the one that the deployment has made. */
  mainTable: MainTable | undefined;
  /** The receivers of alarms: an address, which its owner must confirm, and a topic already in the account. */
  alarmEmail: string | undefined;
  /** The payer page's imprint: company, contacts and terms. */
  imprint: ImprintOptions;
  alarmTopicArn: string | undefined;
  /** The repository on GitHub whose pull requests are compared with the stage. */
  diffRepository: string | undefined;
}>;

const EMULATOR_URL = "https://localhost:4566";

/**
 * Reads the context. Throws InvalidDeployment for unknown names and values, so that a misspelled stage is not deployed as
 * a sandbox.
 */
export function readDeployment(node: Node): Deployment {
  refuseUnknown(Object.keys(node.getAllContext()));
  const context = (name: ContextName): string | undefined => {
    const value: unknown = node.tryGetContext(name);
    return value === undefined ? undefined : String(value);
  };
  const stage = context("stage") ?? "sandbox";
  if (stage !== "sandbox" && stage !== "production") throw new InvalidDeployment("stage must be sandbox or production");
  const reserved = readLike("reservedConcurrency", context("reservedConcurrency"), /^[1-9]\d{0,3}$/, "1 to 9999");
  const questions = readLike("questionsMax", context("questionsMax") ?? "2", QUESTIONS_MAX, "2 to 1000");
  const emulated = readLike("emulated", context("emulated") ?? "false", EMULATED, "true, false or an address");
  const connectorFormerUrls = context("connectorFormerUrls");
  try {
    readFormerUrls(connectorFormerUrls);
  } catch (error) {
    throw error instanceof Unreadable ? new InvalidDeployment(`connectorFormerUrls ${error.message}`) : error;
  }
  const originSecret = context("originSecret") ?? "1";
  const twoPersons = context("twoPersons") ?? "off";
  if (twoPersons !== "off" && twoPersons !== "on") throw new InvalidDeployment("twoPersons must be on or off");
  const docs = context("docs") ?? "on";
  if (docs !== "off" && docs !== "on") throw new InvalidDeployment("docs must be on or off");
  return {
    stage,
    prefix: readPrefix(context("prefix")),
    twoPersons,
    docs,
    connectorFormerUrls,
    reservedConcurrency: reserved === undefined ? undefined : Number(reserved),
    questionsMax: Number(questions),
    originSecret: Number(readLike("originSecret", originSecret, /^[1-9]\d{0,5}$/, "a whole number from 1 on")),
    paymentDocumentDays: readDays("paymentDocumentDays", context("paymentDocumentDays")),
    savedDocumentDays: readDays("savedDocumentDays", context("savedDocumentDays")),
    imprint: readImprint(context, (reason) => {
      throw new InvalidDeployment(reason);
    }),
    alarmEmail: readLike("alarmEmail", context("alarmEmail"), EMAIL, "an e-mail address"),
    alarmTopicArn: readLike("alarmTopicArn", context("alarmTopicArn"), TOPIC_ARN, "the ARN of a standard SNS topic"),
    diffRepository: readLike("diffRepository", context("diffRepository"), REPOSITORY, "OWNER/NAME of GitHub"),
    canary: readCanary(context("canary"), emulated !== "false"),
    mainTable: readMainTable(stage, context("mainTable")),
    apiDomain: readApiDomain(context("apiDomain"), context("apiCertificate")),
    payerApp: readPayerApp(context("payerAppUrl"), context("payerAppCertificate")),
    emulator: emulated === "false" ? undefined : emulated === "true" ? EMULATOR_URL : emulated.replace(/\/$/, ""),
  };
}

/** The names that belong to the CDK: all that have a mark in them, and these. */
const ofTheCdk = /[@:/]|^(cli-telemetry|acknowledged-issue-numbers)$/;

function refuseUnknown(names: readonly string[]): void {
  const unknown = names.filter((name) => !ofTheCdk.test(name) && !contextNames.some((known) => known === name));
  const lines = unknown.map((name) => `-c ${name}=… is not known: did you mean ${nearestTo(name)}?`);
  if (lines.length > 0) throw new InvalidDeployment(lines.join("\n"));
}

const nearestTo = (name: string): ContextName =>
  contextNames.reduce((best, known) => (distance(name, known) < distance(name, best) ? known : best));

/** How many letters must be put in, left out or changed to make `to` of `from`, whatever their case. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [before, letter] of [...from.toLowerCase()].entries()) {
    const next = [before + 1];
    for (const [index, other] of [...to.toLowerCase()].entries()) {
      const [left = 0, above = 0, corner = 0] = [next[index], row[index + 1], row[index]];
      next.push(Math.min(left + 1, above + 1, corner + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

function readDays(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const days = /^\d{1,9}$/.test(value) ? Number(value) : 0;
  if (days < 1 || days > DOCUMENT_DAYS_MAX)
    throw new InvalidDeployment(`${name} must be a whole number from 1 to ${DOCUMENT_DAYS_MAX}`);
  return days;
}

function readPrefix(value: string | undefined): string | undefined {
  if (value !== undefined && (value.length > PREFIX_LENGTH_MAX || !PREFIX.test(value)))
    throw new InvalidDeployment(
      `prefix must be at most ${PREFIX_LENGTH_MAX} of a-z, 0-9 and single hyphens, and not begin with aws or ssm`,
    );
  return value;
}

function readCanary(value = "false", isEmulated: boolean): boolean {
  if (value !== "true" && value !== "false") throw new InvalidDeployment("canary must be true or false");
  if (value === "true" && isEmulated) throw new InvalidDeployment("canary needs CodeDeploy, which an emulator lacks");
  return value === "true";
}

const STREAM_ARN = /^arn:[\w-]+:dynamodb:[\w-]+:\d{12}:table\/([\w.-]{3,255})\/stream\/\S+$/;

/** Production follows the table's stream, by whose ARN a table is named there. */
function readMainTable(stage: Deployment["stage"], value: string | undefined): MainTable | undefined {
  if (value === undefined) return undefined;
  const name = stage === "production" ? STREAM_ARN.exec(value)?.[1] : /^[\w.-]{3,255}$/.exec(value)?.[0];
  const what = stage === "production" ? "the ARN of the stream of a table" : "the name of a table";
  if (name === undefined) throw new InvalidDeployment(`mainTable must be ${what}`);
  return { name, ...(stage === "production" && { streamArn: value }) };
}

const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;
/** Alarms cannot be told to a topic that keeps an order, whose name ends in `.fifo`. */
const TOPIC_ARN = /^arn:[\w-]+:sns:[\w-]+:\d{12}:[\w-]+$/;

const REPOSITORY = /^[\w-]+\/[\w.-]+$/;

const QUESTIONS_MAX = /^([2-9]|[1-9]\d{1,2}|1000)$/;
const EMULATED = /^(true|false|https?:\/\/\S+)$/;

function readLike<Value extends string | undefined>(name: string, value: Value, pattern: RegExp, what: string): Value {
  if (value !== undefined && !pattern.test(value)) throw new InvalidDeployment(`${name} must be ${what}`);
  return value;
}

function readApiDomain(name = "", certificateArn = ""): Deployment["apiDomain"] {
  if (name === "" && certificateArn === "") return undefined;
  if (!/^[a-z\d-]+(\.[a-z\d-]+)+$/.test(name))
    throw new InvalidDeployment("apiDomain must be a domain such as api.example.com");
  if (!/^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/.test(certificateArn))
    throw new InvalidDeployment("apiCertificate must be the ARN of a certificate in the region of the API");
  return { name, certificateArn };
}

function readPayerApp(url = "", certificateArn = ""): Deployment["payerApp"] {
  if (url === "" && certificateArn === "") return undefined;
  if (!/^https:\/\/[a-z\d-]+(\.[a-z\d-]+)+$/.test(url))
    throw new InvalidDeployment("payerAppUrl must be https://<domain>");
  if (!/^arn:[\w-]+:acm:us-east-1:\d{12}:certificate\/[\w-]+$/.test(certificateArn))
    throw new InvalidDeployment("payerAppCertificate must be the ARN of a certificate in us-east-1");
  return { url, certificateArn };
}
