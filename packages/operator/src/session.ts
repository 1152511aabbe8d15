import { webcrypto } from "node:crypto";
import { userInfo } from "node:os";
import { createInterface } from "node:readline/promises";
import { parseSettings, type Settings } from "@intents/deployment/settings.ts";
import { STORED_FORMAT } from "@intents/deployment/stored-format.ts";
import { openRun } from "@intents/execution/open-run.ts";
import type { Run } from "@intents/execution/run.ts";
import type { OperatorChange } from "@intents/storage/audit/operators.ts";
import { findTenant } from "@intents/storage/parties/tenants.ts";
import { openTable, type Table } from "@intents/storage/table/table.ts";
import type { Command } from "commander";
import { type ApiKeyGateway, localGateway, openApiGateway } from "./api-key-gateway.ts";
import { checkClock } from "./clock.ts";
import { type CommandLine, FILL_IN, openCommandLine } from "./command-line.ts";
import { findLocalEnvironment } from "./local-service.ts";
import type { Format } from "./output.ts";
import { Refusal } from "./refusal.ts";
import { readCaller, readStageEnvironment } from "./stage.ts";

/** One run of a command: the stage that it works on, its user, and its form of output. */
export type Session = Readonly<{
  stage: string | undefined;
  /** The table that the service works on, or another that the user names: a restored one, which it does not know yet. */
  table: Table;
  gateway: ApiKeyGateway;
  format: Format;
  /** The settings of the service on that stage. */
  settings: () => Promise<Settings>;
  /** The means of executions on that stage: the same rails as the service's own functions, and the same settings. */
  run: () => Promise<Run>;
  /** The user and the reason of a command that changes a payment; without a reason it is refused. */
  operation: () => Readonly<{ operator: string; reason: string }>;
  confirm: (question: string) => Promise<void>;
  /** A command on the same service, for a person to paste. */
  command: CommandLine;
  /** The audit entry for a change that this run makes. */
  change: (action: string, data?: Readonly<Record<string, unknown>>) => OperatorChange;
}>;

type Options = Readonly<{
  stage?: string;
  prefix?: string;
  table?: string;
  port: string;
  json?: true;
  csv?: true;
  tenant?: string;
  yes?: true;
  operator?: string;
  reason?: string;
}>;

/**
 * Opens the local service, or a stage in AWS with the caller's own credentials. Refused is a command about a tenant that
 * does not exist.
 */
export async function openSession(command: Command): Promise<Session> {
  const { stage, prefix, port, json, csv, yes, reason, tenant, ...options } = command.optsWithGlobals<Options>();
  if (stage === undefined && prefix !== undefined) throw new Refusal("--prefix needs --stage", "usage");
  if (stage === undefined) Object.assign(process.env, findLocalEnvironment(port));
  const named = options.operator ?? process.env["OPERATOR"];
  // On a stage AWS says who it is, and a name is no more than a note.
  const who =
    stage === undefined
      ? { operator: named ?? userInfo().username }
      : { operator: await readCaller(), ...(named !== undefined && { note: named }) };
  const deployed = stage === undefined ? undefined : { stage, prefix };
  const environment = deployed === undefined ? process.env : await readStageEnvironment(deployed);
  checkStoredFormat(environment["STORED_FORMAT"]);
  const table = openTable(options.table ?? environment["TABLE_NAME"] ?? "");
  checkClock(table);
  if (tenant !== undefined && (await findTenant(table, tenant)) === undefined)
    throw new Refusal(`There is no tenant ${tenant}`);
  const settings = async () => parseSettings(environment);
  const random = (count: number) => webcrypto.getRandomValues(new Uint8Array(count));
  return {
    stage,
    table,
    gateway: deployed === undefined ? localGateway : openApiGateway(deployed),
    format: json ? "json" : csv ? "csv" : "table",
    settings,
    run: async () => openRun(await settings(), { table, now: () => Date.now(), random }),
    operation: () => {
      if (reason === undefined || reason === FILL_IN)
        throw new Refusal('Say why, for the audit: --reason "..."', "usage");
      return { operator: who.operator, reason };
    },
    confirm: (question) => (yes ? Promise.resolve() : ask(question)),
    command: openCommandLine(
      { port, ...(prefix && { prefix }), ...(options.table && { table: options.table }) },
      stage,
    ),
    change: (action, data) => ({
      ...who,
      atMs: Date.now(),
      action,
      reason: reason ?? "not given",
      ...(data !== undefined && { data }),
    }),
  };
}

/** A command would misread records in another version's format. */
function checkStoredFormat(format = "not numbered") {
  if (format !== String(STORED_FORMAT))
    throw new Refusal(
      `The service's stored format is ${format}, and this command reads ${STORED_FORMAT} alone: run the command of the service's version`,
    );
}

async function ask(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new Refusal("Nobody is here to ask: repeat with --yes", "usage");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await new Promise<string>((resolve, reject) => {
    terminal.question(`${question} [y/N] `).then(resolve, reject);
    terminal.on("SIGINT", () => {
      process.stderr.write("\n");
      reject(new Refusal("", "interrupted"));
    });
    // Ctrl-D is no answer either.
    terminal.on("close", () => resolve(""));
  }).finally(() => terminal.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new Refusal("Nothing was changed");
}
