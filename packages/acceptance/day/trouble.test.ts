import { describe, expect, test } from "vitest";
import { failures } from "./failing-rail.ts";
import { runTrouble, type Trouble } from "./trouble.ts";

const MINUTE = 60_000;
const HANG_MS = 20_000;
/** Questions that it may take to find one payment among those of a question. */
const FINDING_MAX = 2 * Math.log2(100) + 2;

/** In the suite a sample; `pnpm crashes` has the whole table. */
const isWhole = process.env["CRASHES"] === "all";
const whole: Omit<Trouble, "seed">[] = failures.flatMap((failing) =>
  [0, 4 * MINUTE].flatMap((outageMs) =>
    [0, 1, 2, 5, 100].map((poisoned) => ({ payments: 200, poisoned, outageMs, failing })),
  ),
);
const sample: Omit<Trouble, "seed">[] = [
  { payments: 12, poisoned: 6, outageMs: 4 * MINUTE, failing: "429" },
  { payments: 12, poisoned: 1, outageMs: 0, failing: "hangs" },
];

/** The longest time in which all are found: where a rail hangs, each question in vain takes as long as that. */
const boundMs = ({ poisoned, failing }: Omit<Trouble, "seed">): number =>
  failing === "hangs" ? FINDING_MAX * HANG_MS * Math.max(1, poisoned) : 12 * MINUTE;

describe("a rail that fails some payments", () => {
  test.each(isWhole ? whole : sample)(
    "of $payments for good ($poisoned by $failing, after an outage of $outageMs ms) ends all others in time",
    async (row) => {
      const figures = await runTrouble({ ...row, seed: 1, afterMs: row.failing === "hangs" ? boundMs(row) : 0 });
      if (isWhole) process.stdout.write(`${JSON.stringify({ ...row, ...figures })}\n`);
      expect(figures).toMatchObject({ left: 0, alone: row.poisoned });
      expect(figures.foundMs).toBeLessThanOrEqual(boundMs(row));
      expect(figures.findingEach).toBeLessThanOrEqual(FINDING_MAX);
      expect(figures.vainEach).toBeLessThan(2);
      expect(figures.latencyIntervals).toBeLessThanOrEqual(2);
    },
    isWhole ? 600_000 : 60_000,
  );
});
