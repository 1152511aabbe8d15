import { openClient } from "@intents/acceptance/service/client.ts";
import { median, type Row, toRow } from "./figures.ts";
import type { Plan } from "./plan.ts";
import { startService } from "./processes.ts";

const PAYMENTS_PER_ROUND = 20;

/** A submit with an Idempotency-Key, and its replay: the medians of each round. */
export async function measureReplay({ dist, rounds }: Plan): Promise<Row[]> {
  const service = await startService(dist);
  const client = openClient(service.url);
  const submitted = async (id: string, replayed: boolean): Promise<number> => {
    const startMs = performance.now();
    const { status, headers, body } = await client.submit<unknown>(id, `key-${id}`);
    const tookMs = performance.now() - startMs;
    if (status !== 200 || (headers.get("idempotent-replayed") === "true") !== replayed)
      throw new Error(`A submit answered ${status}: ${JSON.stringify(body)}`);
    return tookMs;
  };
  const firsts: number[] = [];
  const replays: number[] = [];
  // The first round is not measured: in it the service loads and compiles its code.
  for (let round = -1; round < rounds; round++) {
    const times = { first: [] as number[], replay: [] as number[] };
    for (let payment = 0; payment < PAYMENTS_PER_ROUND; payment++) {
      const { id } = await client.newTuitionIntent();
      times.first.push(await submitted(id, false));
      times.replay.push(await submitted(id, true));
    }
    if (round === -1) continue;
    firsts.push(median(times.first));
    replays.push(median(times.replay));
  }
  await service.stop();
  return [toRow({ name: "replay of a submit", unit: "ms", ours: replays, baseline: firsts, goal: { atMost: 0.5 } })];
}
