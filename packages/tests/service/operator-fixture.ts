import { type ChildProcess, execFile, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { runningFile } from "@intents/deployment/running-file.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { readPartition } from "@intents/storage/test/table-fixture.ts";
import { storeCredentials } from "./store-credentials.ts";

const MAIN = fileURLToPath(new URL("../../operator/src/main.ts", import.meta.url));
const PROCESS = fileURLToPath(new URL("operator-process-fixture.ts", import.meta.url));

/** The exit code of what another person has to agree to. */
const PROPOSED = 5;

export type Run = Readonly<{ code: number; stdout: string; stderr: string }>;
export type AuditEntry = Readonly<{ operator: string; at: string; action: string; reason: string; data?: unknown }>;

const environmentOf = (env: Readonly<Record<string, string>> = {}) => ({ ...process.env, OPERATOR: "olga", ...env });

/** The process that runs the commands of a worker's files, and the end of its last one. */
let reused: ChildProcess | undefined;
let before: Promise<unknown> = Promise.resolve();

/**
 * For tests: runs a command as an operator named olga, without a terminal to answer questions. All commands share a
 * process, one after the other.
 */
export function operate(args: readonly string[]): Promise<Run> {
  const run = before.then(() => operateNext(args));
  before = run.catch(() => undefined);
  return run;
}

async function operateNext(args: readonly string[]): Promise<Run> {
  reused ??= startProcess();
  const child = reused;
  child.send({ args, env: environmentOf() });
  const waits = new AbortController();
  const ended = await Promise.race(["message", "exit"].map((event) => once(child, event, waits).catch(() => [])));
  waits.abort();
  const [run] = ended as [Run | number];
  if (typeof run === "object") return run;
  reused = undefined;
  throw new Error(`The operator's command ${args.join(" ")} ended its process`);
}

function startProcess(): ChildProcess {
  const child = fork(PROCESS, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  // It ends with this process, and does not keep it running.
  child.unref();
  child.channel?.unref();
  return child;
}

/** The same as a user's shell does it: the program is started for this command alone. */
export const operateAlone = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run> =>
  new Promise((resolve) => {
    const options = { env: environmentOf(env) };
    const child = execFile(process.execPath, [MAIN, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
    child.stdin?.end();
  });

/** The operator's commands against the service at `url`, and its table for checks behind them. */
export function openOperator(url: string) {
  const { port } = new URL(url);
  const environment = JSON.parse(readFileSync(runningFile(port), "utf8")) as Record<string, string>;
  const { AWS_ENDPOINT_URL_DYNAMODB: endpoint = "", TABLE_NAME: name = "" } = environment;
  const credentials = storeCredentials(environment);
  const client = new DynamoDBClient({ endpoint, region: "us-east-1", credentials });
  const table: Table = { client, db: DynamoDBDocumentClient.from(client), name };

  const run = (...args: readonly string[]) => operate(["--port", port, ...args]);
  /** The output of a change that must succeed, or be proposed to another person. */
  async function change(...args: readonly string[]): Promise<Record<string, unknown>> {
    const { code, stdout, stderr } = await run(...args, "--json", "--yes", "--reason", "ticket 7");
    if (code !== 0 && code !== PROPOSED) throw new Error(`${args.join(" ")} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  }
  /** A new key of a tenant, as its client sends it. */
  const newKey = async (clientId: string, tenantId: string, ...grants: readonly string[]): Promise<string> => {
    const granted = grants.length > 0 ? ["--grant", ...grants] : [];
    return String((await change("keys", "create", clientId, "--tenant", tenantId, ...granted))["apiKey"]);
  };
  const newTenant = (tenantId: string) =>
    change("tenants", "create", tenantId, "--name", `Tenant ${tenantId}`, "--country", "AU");
  /** The audit of operators' changes to a tenant, or to the whole service, oldest first. */
  async function auditOf(tenantId: string): Promise<AuditEntry[]> {
    const items = await readPartition(table, `T#${tenantId}#AUDIT#OPERATOR`);
    return items.map(({ doc }) => JSON.parse(String(doc)) as AuditEntry);
  }
  return { table, environment, run, change, newKey, newTenant, auditOf, close: () => client.destroy() };
}
