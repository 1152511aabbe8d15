import { describe, expect, test } from "vitest";
import { runStumbling, type Stumbling } from "./stumbling.ts";
import { failures } from "./stumbling-rail.ts";

const MINUTE = 60_000;
/** Questions that it may take to find one payment among those of a question. */
const FINDING_MAX = 2 * Math.log2(100) + 2;
/** The time that a question in vain costs the rail's other questions: it hangs, or asks to be left alone. */
const costMs: Readonly<Record<string, number>> = { hangs: 20_000, "429": 5_000 };

type Row = Omit<Stumbling, "seed" | "afterMs">;

/** The same once over HTTP, by the client's own requests to a server. */
const overHttp: Row = { payments: 12, poisoned: 2, outageMs: 0, failing: "502", isServed: true };

/** The table of docs/benchmarks.md. */
const table: Row[] = failures.flatMap((failing) =>
  [0, 4 * MINUTE].flatMap((outageMs) =>
    [0, 1, 2, 5, 100].map((poisoned) => ({ payments: 200, poisoned, outageMs, failing })),
  ),
);
/** Every third row, or all of them: with STUMBLING=all. */
const tried = process.env["STUMBLING"] === "all" ? table : table.filter((_, index) => index % 3 === 0);

/** The longest time in which all are found. */
const boundMs = ({ poisoned, failing }: Row): number =>
  Math.max(12 * MINUTE, FINDING_MAX * (costMs[failing] ?? 0) * Math.max(1, poisoned));

/**
 * A rail that half of the payments let hang, or ask to be left alone after an outage, is asked so rarely that the
 * healthy ones have ended before the last poisoned one is found. Beside no other payment it looks like a silent rail.
 */
const outlastsAll = ({ poisoned, failing, outageMs }: Row): boolean =>
  poisoned === 100 && (failing === "hangs" || (failing === "429" && outageMs > 0));

describe("a rail that fails some payments", () => {
  test.each([...tried, overHttp])(
    "of $payments for good ($poisoned by $failing, after an outage of $outageMs ms) ends all others in time",
    async (row) => {
      const figures = await runStumbling({ ...row, seed: 1, afterMs: row.failing in costMs ? boundMs(row) : 0 });
      process.stdout.write(`${JSON.stringify({ ...row, ...figures })}\n`);
      expect(figures.left).toBe(0);
      expect(figures.latestMs).toBeLessThanOrEqual(boundMs(row));
      expect(figures.findingEach).toBeLessThanOrEqual(FINDING_MAX);
      expect(figures.vainEach).toBeLessThan(2);
      if (outlastsAll(row)) return;
      expect(figures.alone).toBe(row.poisoned);
      expect(figures.foundMs).toBeLessThanOrEqual(boundMs(row));
      expect(figures.latencyIntervals).toBeLessThanOrEqual(2);
    },
  );
});
