import { type Maintenance, readMaintenance, writeMaintenance } from "@intents/storage/operations/maintenance.ts";
import { type Command, InvalidArgumentError } from "commander";
import { print } from "./output.ts";
import { openSession } from "./session.ts";

const RETRY_AFTER_DEFAULT = "300";

export function maintenanceCommands(program: Command): void {
  const maintenance = program.command("maintenance").description("answer callers with 503, or let them in again");
  maintenance
    .command("on")
    .description("turns callers away")
    .option(
      "--retry-after <seconds>",
      "seconds that callers are asked to wait",
      parseSeconds,
      Number(RETRY_AFTER_DEFAULT),
    )
    .option(
      "--until <time>",
      "when it is meant to end, which GET /health tells, such as 2027-01-31T22:00:00Z",
      parseTime,
    )
    .action(({ retryAfter, until }: { retryAfter: number; until?: string }, command: Command) =>
      turn(command, { on: true, retryAfterSeconds: retryAfter, ...(until !== undefined && { until }) }),
    );
  maintenance
    .command("status")
    .description("whether callers are turned away")
    .action(async (_options: unknown, command: Command) => {
      const session = await openSession(command);
      const { on, ...details } = await readMaintenance(session.table);
      print(session, { maintenance: on ? "on" : "off", ...(on && details) });
    });
  maintenance
    .command("off")
    .description("lets callers in again")
    .action((_options: unknown, command: Command) => turn(command, { on: false, retryAfterSeconds: 0 }));
}

async function turn(command: Command, { on, ...details }: Maintenance): Promise<void> {
  const session = await openSession(command);
  const action = on ? "maintenance.on" : "maintenance.off";
  await session.confirm(on ? "Turn all callers away?" : "Let callers in again?");
  await writeMaintenance(session.table, { on, ...details }, session.change(action, details));
  print(session, { maintenance: on ? "on" : "off", note: "in effect within ten seconds" });
}

function parseSeconds(value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new InvalidArgumentError("a number of seconds");
  return Number(value);
}

function parseTime(value: string): string {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw new InvalidArgumentError("a time such as 2027-01-31T22:00:00Z");
  return new Date(ms).toISOString();
}
