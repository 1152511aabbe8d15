import type { StoreCall } from "@intents/local/events/calls.ts";
import { answerName, type EventFile, readEventFile, setupPath, type Values } from "@intents/local/events/event.ts";
import {
  dataOf,
  isExpected,
  openStage as openReplay,
  outcomeOf,
  replayEvent,
  replaySetup,
} from "@intents/local/events/stage.ts";
import { openReplayStores } from "@intents/local/events/stores.ts";
import { openTable } from "@intents/storage/table/table.ts";
import { afterAll, vi } from "vitest";

/** The tenant of the demo's key. */
export const TENANT = "1001";

/** An address as long as a deployed one, because records hold it. */
const ADDRESS = "https://abcdefghij.execute-api.us-east-1.amazonaws.com/production";

/** The clock moves so far before each event: a request counts itself in a rate window of its own. */
const WINDOW_MS = 1_000;

/**
 * For a test file: the bundled functions in this process, on throw-away stores that note each call. The clock moves a
 * millisecond with each call, so that two changes have two times. Nothing happens by itself.
 */
export async function openStage(settings: Readonly<Record<string, string>>) {
  const environment = { ...process.env };
  process.env["RATE_LIMIT_BUDGET_MS"] = "100000";
  const stores = await openReplayStores({ env: process.env, port: "0", throwAway: true });
  const { QUEUE_URL = "", TABLE_NAME = "" } = process.env;
  Object.assign(process.env, {
    ...{ BASE_URL: ADDRESS, PAYER_APP_URL: ADDRESS, WEBHOOK_QUEUE_URLS: `${QUEUE_URL} ${QUEUE_URL}` },
    POLL_INTERVAL_SECONDS: "30",
    ...settings,
  });
  const stage = openReplay(stores);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 20, 9) });
  const moveClock = (ms: number): void => void vi.setSystemTime(Date.now() + ms);
  const { fetch } = globalThis;
  globalThis.fetch = (...request) => {
    moveClock(1);
    return fetch(...request);
  };
  afterAll(async () => {
    globalThis.fetch = fetch;
    vi.useRealTimers();
    await stores.stop();
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
    Object.assign(process.env, environment);
  });

  /**
   * Replays a file of events/, edited, after its setup as far as `known` lacks the answers. Gives its store calls, without
   * those to the simulated rails' table, and all answers.
   */
  async function replay(name: string, known: Values = {}, edit = (file: EventFile): EventFile => file) {
    const file = edit(readEventFile(setupPath(name)));
    const values = await replaySetup(stage, file.setup ?? [], known);
    moveClock(WINDOW_MS);
    const replayed = await replayEvent(stage, file, values);
    if (!isExpected(file, replayed)) throw new Error(`${name} came to ${outcomeOf(replayed)}`);
    const calls = replayed.calls.filter(({ targets: [target = ""] }) => !target.startsWith("sandbox-rail"));
    return { calls, values: { ...values, [answerName(name)]: dataOf(replayed.answer) } };
  }

  return { table: openTable(TABLE_NAME), moveClock, replay };
}

/** The number of store calls, and the capacity units that the store reports for them, indexes included. */
export function costOf(calls: readonly StoreCall[]) {
  const unitsOf = (isRead: boolean) =>
    calls
      .filter(({ command }) => isRead === /^(BatchGet|Get|Query|Scan)/.test(command))
      .reduce((sum, { capacityUnits = 0 }) => sum + capacityUnits, 0);
  return { calls: calls.length, reads: unitsOf(true), writes: unitsOf(false) };
}
