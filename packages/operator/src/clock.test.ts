import { readMaintenance, writeMaintenance } from "@intents/storage/operations/maintenance.ts";
import type { Table } from "@intents/storage/table/table.ts";
import { startTable } from "@intents/storage/test/table-fixture.ts";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { checkClock } from "./clock.ts";
import { Refusal } from "./refusal.ts";

let table: Table;
beforeEach(async () => {
  const { stop, ...started } = await startTable();
  ({ table } = started);
  checkClock(table);
  return async () => {
    vi.useRealTimers();
    await stop();
  };
});

/** Sets this machine's clock off the store's, which runs on. */
const setOff = (ms: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
const change = { operator: "olga", atMs: 1, action: "maintenance.on", reason: "ticket 7" };
const write = () => writeMaintenance(table, { on: true, retryAfterSeconds: 60 }, change);

describe("an operator whose clock", () => {
  test.each([0, 1_500, -1_500])("is %i ms off changes what there is, without another look", async (ms) => {
    setOff(ms);
    await write();
    expect(await readMaintenance(table)).toMatchObject({ on: true });
  });

  test.each([
    [8_000, "ahead of"],
    [-8_000, "behind"],
    [3_600_000, "ahead of"],
    [-3_600_000, "behind"],
  ])("is %i ms off changes nothing, is told so, and may look", async (ms, which) => {
    setOff(ms);
    const refused = await write().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect(refused).toMatchObject({ kind: "refused", message: expect.stringMatching(`at least \\d+ s ${which} that`) });
    expect(await readMaintenance(table)).toMatchObject({ on: false });
  });

  test("cannot be told from a slow answer is compared again", async () => {
    setOff(-6_000);
    let slow = 2;
    table.client.middlewareStack.add(
      (next) => async (sent) => {
        const answered = await next(sent);
        if (slow-- > 0) vi.setSystemTime(Date.now() + 3_000);
        return answered;
      },
      { step: "deserialize", priority: "low" },
    );
    await write();
    expect(slow).toBeLessThan(0);
    expect(await readMaintenance(table)).toMatchObject({ on: true });
  });
});
