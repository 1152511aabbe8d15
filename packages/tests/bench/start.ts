import { mkdtempSync } from "node:fs";
import { routes } from "@intents/contract/routes.ts";
import { newBelongings, pathOf, requestOf } from "../service/belongings.ts";
import { openClient } from "../service/client.ts";
import { type Row, toRow } from "./figures.ts";
import { interleave, KEY, type Plan } from "./plan.ts";
import { residentMegabytes, type Server, startBareServer, startService } from "./processes.ts";

/** From the process's start to the first 200, and the memory once every function has run, against the bare server. */
export async function measureStart(plan: Plan): Promise<Row[]> {
  const memory = { ours: [] as number[], baseline: [] as number[] };
  const startMs = async (starting: Promise<Server>, path: string, use: (server: Server) => unknown = () => {}) => {
    const beganMs = performance.now();
    const server = await starting;
    const { ok } = await fetch(server.url + path, { headers: { "X-API-Key": KEY } });
    const readyMs = ok ? performance.now() - beganMs : Number.NaN;
    await use(server);
    await server.stop();
    return readyMs;
  };
  const me = "/v2/users/me";
  const { bundled, sources, baseline } = await interleave(plan.rounds, {
    bundled: () =>
      startMs(startService(plan.dist), me, async (service) => {
        await callEverything(service);
        memory.ours.push(residentMegabytes(service));
      }),
    sources: () => startMs(startService(mkdtempSync(`${plan.dist}-`)), me),
    baseline: () =>
      startMs(startBareServer(plan), "/retrieve/0", (bare) => memory.baseline.push(residentMegabytes(bare))),
  });
  const start = { unit: "ms", baseline, goal: { atMost: 3_000, of: "figure" } } as const;
  return [
    toRow({ name: "start to the first 200, bundled", ours: bundled, ...start }),
    toRow({ name: "start to the first 200, from sources", ours: sources, ...start }),
    toRow({ name: "resident memory with the store", unit: "MB", ...memory, goal: { atMost: 280, of: "figure" } }),
  ];
}

/** Calls every route, one reserved path and the fallback, and waits until the workers have settled a payment. */
async function callEverything({ url }: Server): Promise<void> {
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
