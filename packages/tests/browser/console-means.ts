import { parseSettings } from "@intents/deployment/settings.ts";
import { openRun } from "@intents/execution/open-run.ts";
import { localGateway } from "@intents/operator/api-key-gateway.ts";
import { openCommandLine } from "@intents/operator/command-line.ts";
import { openMeans } from "@intents/operator/console/means.ts";
import type { Session } from "@intents/operator/session.ts";
import type { Table } from "@intents/storage/table/table.ts";
import type { openOperator } from "../service/operator-fixture.ts";

const refuse = () => {
  throw new Error("The console asks nobody, and changes nothing");
};

/** The means of the console's pages, and the number of calls of the store since the last time it was asked for. */
export async function openCounted({ table: given, environment }: ReturnType<typeof openOperator>) {
  let calls = 0;
  const send = (command: unknown) => {
    calls += 1;
    return given.db.send(command as Parameters<Table["db"]["send"]>[0]);
  };
  const table: Table = { ...given, db: Object.create(given.db, { send: { value: send } }) };
  const settings = async () => parseSettings({ ...environment });
  const session: Session = {
    ...{ stage: undefined, table, gateway: localGateway, format: "json", settings },
    run: async () => openRun(await settings(), { table, now: Date.now, random: (count) => new Uint8Array(count) }),
    ...{ operation: refuse, confirm: refuse, change: refuse },
    command: openCommandLine({ port: "3000" }, undefined),
  };
  const taken = () => {
    const sum = calls;
    calls = 0;
    return sum;
  };
  return { means: await openMeans(session, { port: "3000" }), taken };
}
