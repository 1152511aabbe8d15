import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { newBelongings, pathOf, requestOf } from "@intents/acceptance/service/belongings.ts";
import { openClient } from "@intents/acceptance/service/client.ts";
import { routes } from "@intents/contract/routes.ts";
import { type Row, toRow } from "./figures.ts";
import { interleave, KEY, type Plan } from "./plan.ts";
import { residentMegabytes, type Server, startService } from "./processes.ts";

/** The time from the start of the process to the first 200, and the memory of the service after every function ran. */
export async function measureStart({ dist, folder, rounds, wants }: Plan): Promise<Row[]> {
  const memory: number[] = [];
  const figures = await interleave(rounds, {
    built: async () => {
      const { service, readyMs } = await timedStart(dist);
      if (wants("memory")) {
        await touchEverything(service);
        memory.push(residentMegabytes(service.pid));
      }
      await service.stop();
      return readyMs;
    },
    unbuilt: async () => {
      if (!wants("start")) return 0;
      const { service, readyMs } = await timedStart(mkdtempSync(join(folder, "dist-")));
      await service.stop();
      return readyMs;
    },
  });
  const goal = { atMost: 3_000 };
  return [
    ...(wants("start")
      ? [
          toRow({ name: "start to first 200", unit: "ms", ours: figures.built, goal }),
          toRow({ name: "start to first 200, nothing bundled yet", unit: "ms", ours: figures.unbuilt, goal }),
        ]
      : []),
    ...(wants("memory")
      ? [toRow({ name: "resident memory, service and store", unit: "MB", ours: memory, goal: { atMost: 350 } })]
      : []),
  ];
}

async function timedStart(dist: string) {
  const startMs = performance.now();
  const service = await startService(dist);
  const { status } = await fetch(`${service.url}/v2/users/me`, { headers: { "X-API-Key": KEY } });
  if (status !== 200) throw new Error(`The first answer was a ${status}`);
  return { service, readyMs: performance.now() - startMs };
}

/** Calls every route, one reserved path and the fallback, and waits until the workers have settled a payment. */
async function touchEverything({ url }: Server): Promise<void> {
  const client = openClient(url);
  const owned = await newBelongings(client);
  for (const route of Object.values(routes).filter(({ group }) => group !== "reserved")) {
    const method = route.on.slice(0, route.on.indexOf(" "));
    await client.call<unknown>(method, pathOf(route, owned), requestOf(route, owned));
  }
  await client.call<unknown>("POST", "/auth/login", { raw: "" });
  await client.call<unknown>("GET", "/nowhere");
  const { id } = await client.newTuitionIntent();
  await client.submit<unknown>(id);
  await client.waitForStatus(id, "completed");
}
