import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openPace } from "./pace.ts";

const QUICK = 1_000_000;
/** At this pace a host's second request waits for an hour, and a test that needs it does not end. */
const ONE_AN_HOUR = 1 / 3600;

describe("the pace of a host", () => {
  test("is so many at once, and the next ones as those end", async () => {
    const pace = openPace({ atOnce: 2, perSecond: QUICK });
    let running = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++running);
      await turn();
      running -= 1;
    };
    await Promise.all(Array.from({ length: 7 }, () => pace("a", work)));
    expect({ running, most }).toEqual({ running: 0, most: 2 });
  });

  test("holds no other host up", async () => {
    const pace = openPace({ atOnce: 1, perSecond: ONE_AN_HOUR });
    await pace("a", async () => "sent");
    void pace("a", async () => "waits");
    expect(await pace("b", async () => "sent")).toBe("sent");
  });

  test("gives no turn to work that is over", async () => {
    const pace = openPace({ atOnce: 1, perSecond: ONE_AN_HOUR });
    let isOver = false;
    const stop = async () => {
      isOver = true;
    };
    const attempts = Array.from({ length: 50 }, () => pace("a", stop, () => isOver));
    await Promise.all(attempts);
    expect(isOver).toBe(true);
  });
});
