import { readMaintenance, writeMaintenance } from "@intents/storage/operations/maintenance.ts";
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
    .action(({ retryAfter }: { retryAfter: number }, command: Command) => turn(command, true, retryAfter));
  maintenance
    .command("status")
    .description("whether callers are turned away")
    .action(async (_options: unknown, command: Command) => {
      const session = await openSession(command);
      const { on, retryAfterSeconds } = await readMaintenance(session.table);
      print(session, { maintenance: on ? "on" : "off", ...(on && { retryAfterSeconds }) });
    });
  maintenance
    .command("off")
    .description("lets callers in again")
    .action((_options: unknown, command: Command) => turn(command, false, 0));
}

async function turn(command: Command, on: boolean, retryAfterSeconds: number): Promise<void> {
  const session = await openSession(command);
  const action = on ? "maintenance.on" : "maintenance.off";
  await session.confirm(on ? "Turn all callers away?" : "Let callers in again?");
  await writeMaintenance(session.table, { on, retryAfterSeconds }, session.change(action, { retryAfterSeconds }));
  print(session, { maintenance: on ? "on" : "off", note: "in effect within ten seconds" });
}

function parseSeconds(value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new InvalidArgumentError("a number of seconds");
  return Number(value);
}
