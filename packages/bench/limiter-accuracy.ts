import { type Row, toRow } from "./figures.ts";
import { askSteadily, type Counted } from "./load.ts";
import { KEY, OTHER_KEY, type Plan } from "./plan.ts";
import { startService } from "./processes.ts";

const LIMIT = 200;
const SECONDS = 10;

/** One key at five times its limit, and another well below its own at the same time. */
export async function measureLimiterAccuracy({ dist }: Plan): Promise<Row[]> {
  const service = await startService(dist, { RATE_LIMIT_PER_SECOND: String(LIMIT) });
  const url = `${service.url}/v2/users/me`;
  const [eager, modest] = await Promise.all([
    askSteadily(url, KEY, 5 * LIMIT, SECONDS),
    askSteadily(url, OTHER_KEY, LIMIT / 4, SECONDS),
  ]);
  await service.stop();
  return [
    toRow({
      name: `a key at ${5 * LIMIT} per second: accepted in each full second`,
      unit: "accepted",
      ours: acceptedBySecond(eager),
      goal: { atLeast: LIMIT * 0.98, atMost: LIMIT * 1.02 },
    }),
    toRow({
      name: `another key at ${LIMIT / 4} per second, meanwhile`,
      unit: "refused",
      ours: [modest.filter(({ status }) => status !== 200).length],
      goal: { atMost: 0 },
    }),
  ];
}

/** The accepted requests of each whole window, by the window in which each answer says that it was counted. */
function acceptedBySecond(answers: readonly Counted[]): number[] {
  const stray = answers.find(({ status }) => status !== 200 && status !== 429);
  if (stray !== undefined) throw new Error(`A request was answered ${stray.status}`);
  const windows = [...new Set(answers.map(({ resetS }) => resetS))].toSorted().slice(1, -1);
  return windows.map((end) => answers.filter(({ status, resetS }) => status === 200 && resetS === end).length);
}
