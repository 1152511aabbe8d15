import { errorTable } from "@intents/contract/errors.ts";
import { faultTable } from "@intents/contract/faults.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { retryAfterOf } from "./answer.ts";
import { type Answer, BACK_OFF_MS_MAX, isRetrySafe, RETRIES_MAX, retryWaitMs } from "./retries.ts";

type Row = Readonly<{ status: number; code?: string; retry?: "told" | "later"; bindsKey?: boolean }>;
const rows: [string, Row][] = [...Object.entries<Row>(errorTable), ...Object.entries<Row>(faultTable)];
/** How a row is answered: those that say when to come back do so. */
const toAnswer = ({ status, code, retry }: Row): Answer => ({
  status,
  code,
  ...(retry === "told" && { retryAfterSeconds: 1 }),
});

describe("what the service says of an error", () => {
  // Links are held against the browsers of their payers.
  const met = rows.filter(([name]) => name !== "link_held");

  test.each(met)("%s is what the client makes of its answer", (_, row) => {
    expect(isRetrySafe(toAnswer(row), false)).toBe(row.retry !== undefined);
  });

  test("an error that keys stay bound to is never sent again", () => {
    for (const [, row] of rows) if (row.bindsKey === true) expect(isRetrySafe(toAnswer(row), false)).toBe(false);
  });
});

// SPEC, "Idempotency behavior on a retry", and who is answered nothing.
test.each<[string, Answer, boolean, boolean]>([
  ["a 4xx", { status: 400, code: "[GEN9002]" }, false, false],
  ["an expired quote", { status: 422, code: "[QOT0001]" }, false, false],
  ["a duplicate", { status: 409, code: "[PAY0003]" }, true, false],
  ["a fault", { status: 500, code: "[GEN9000]" }, true, false],
  ["a gateway's page", { status: 502 }, true, false],
  ["no answer", { status: 0 }, true, false],
  ["maintenance", { status: 503, retryAfterSeconds: 9 }, true, true],
  ["what is not there yet", { status: 501, code: "[GEN9501]" }, false, false],
  ["a rate limit", { status: 429, retryAfterSeconds: 1 }, true, true],
  ["a gateway's rate limit", { status: 429 }, true, true],
  ["a request in flight", { status: 409, code: "[GEN9009]", retryAfterSeconds: 1 }, true, true],
  ["a wrong status", { status: 409, code: "[GEN9009]" }, false, false],
])("%s: whether a request is sent again, and one that makes something new", (_, answer, again, createsAgain) => {
  expect([isRetrySafe(answer, false), isRetrySafe(answer, true)]).toEqual([again, createsAgain]);
});

describe("the wait before a retry", () => {
  const chance = fc.double({ min: 0, max: 1, noNaN: true });
  const retry = fc.nat({ max: RETRIES_MAX - 1 });
  const outage = fc.constantFrom<Answer>({ status: 0 }, { status: 500 }, { status: 503 }, { status: 429 });

  test("begins at a second and doubles up to 30, each up to 30 % longer or shorter and never above 30", () => {
    fc.assert(
      fc.property(outage, retry, chance, (answer, number, random) => {
        const waitMs = retryWaitMs(answer, false, number, () => random) ?? Number.NaN;
        const baseMs = Math.min(1000 * 2 ** number, 30_000);
        expect(waitMs).toBeGreaterThanOrEqual(baseMs * 0.7 - 1e-6);
        expect(waitMs).toBeLessThanOrEqual(Math.min(baseMs * 1.3 + 1e-6, BACK_OFF_MS_MAX));
      }),
    );
  });

  test("is as long as the service says, and up to 30 % longer, whatever the number of the retry", () => {
    fc.assert(
      fc.property(outage, fc.integer({ min: 1, max: 60 }), retry, chance, (answer, seconds, number, random) => {
        const waitMs =
          retryWaitMs({ ...answer, retryAfterSeconds: seconds }, false, number, () => random) ?? Number.NaN;
        expect(waitMs).toBeGreaterThanOrEqual(seconds * 1000);
        expect(waitMs).toBeLessThanOrEqual(seconds * 1300 + 1e-6);
      }),
    );
  });

  test("is not none because the service says at once", () => {
    fc.assert(
      fc.property(outage, retry, chance, (answer, number, random) => {
        const atOnce = retryWaitMs({ ...answer, retryAfterSeconds: 0 }, false, number, () => random);
        expect(atOnce).toBe(retryWaitMs(answer, false, number, () => random));
      }),
    );
    const inFlight = { status: 409, code: "[GEN9009]", retryAfterSeconds: 0 };
    expect(retryWaitMs(inFlight, false, 0, () => 0.5)).toBe(1000);
  });

  test("is told in seconds or as a moment, by the clock of who tells it", () => {
    const waitFor = (retryAfter: string, date?: string) =>
      retryAfterOf(new Headers({ "Retry-After": retryAfter, ...(date !== undefined && { Date: date }) }));
    expect(waitFor("7")).toBe(7);
    expect(waitFor("Wed, 21 Oct 2015 07:28:30 GMT", "Wed, 21 Oct 2015 07:28:00 GMT")).toBe(30);
    expect(waitFor("Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2015 07:28:30 GMT")).toBe(0);
    expect(waitFor(new Date(Date.now() + 3_600_000).toUTCString())).toBeGreaterThan(1800);
    expect([waitFor("soon"), waitFor("-1", "soon"), retryAfterOf(new Headers())]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("is none after the last try, for what may not be sent again, and where more than a minute is asked for", () => {
    const half = () => 0.5;
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), retry, (status, number) => {
        const isNone = retryWaitMs({ status }, false, number, half) === undefined;
        expect(isNone).toBe(!isRetrySafe({ status }, false));
      }),
    );
    expect(retryWaitMs({ status: 500 }, false, RETRIES_MAX, half)).toBeUndefined();
    expect(retryWaitMs({ status: 429, retryAfterSeconds: 61 }, false, 0, half)).toBeUndefined();
    // The caller knows when the window for duplicates has passed, and the service does not say.
    expect(retryWaitMs({ status: 409, code: "[PAY0003]" }, false, 0, half)).toBeUndefined();
  });
});
