import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { causes, type IntentEventName, intentEvents } from "../intents/audit-event.ts";
import { legStatuses } from "../intents/leg-status.ts";
import { amountModes, deliveryModes, splitRoles, useCases } from "../scenarios/scenario.ts";
import { submitRefusals, type TimelineNews, toCorrectionNews, toTimelineEntry, withNews } from "./timeline.ts";

const names = Object.keys(intentEvents) as IntentEventName[];
const fieldsOf = (name: IntentEventName): string[] => [...intentEvents[name].shows, ...intentEvents[name].keeps];
const allFields = [...new Set(names.flatMap(fieldsOf))];
const executionId = "0198c0ffee00aabbccddeeff";
const MARK = "Quandorf";

/** An event as it is told when it is stored with `data`. */
function entryOf(event: string, data?: Readonly<Record<string, unknown>>, actor = "rail", clientId?: string) {
  const stored = { event, actor, ...(data && { data }), ...(clientId && { clientId }) };
  const entry = { version: 1, at: "2026-11-21T09:00:00.000Z", events: [stored], hash: "h", previous: null };
  return toTimelineEntry(entry).events;
}
const detailsOf = (name: IntentEventName, data: Readonly<Record<string, unknown>>) =>
  entryOf(`paymentIntent.${name}`, data).map(({ details }) => details);

describe("what is told of an event", () => {
  // Wherever a text of somebody's stands, deep inside of a field included, and whichever event it is.
  test.each(names)("of %s is no text that somebody wrote, in whatever field", (name) => {
    const personal = [MARK, { order: 1, status: MARK, splitRole: MARK, reason: MARK }, [MARK], [{ order: MARK }]];
    for (const value of personal) {
      const data = Object.fromEntries(allFields.map((field) => [field, value]));
      expect(JSON.stringify(entryOf(`paymentIntent.${name}`, data, MARK))).not.toContain(MARK);
    }
    const legs = [{ order: 0, status: "cleared", reason: MARK, payeeId: 5001, payerAmount: "7.00" }];
    expect(JSON.stringify(detailsOf(name, { legs }))).not.toMatch(/Quandorf|5001|7\.00/);
  });

  test("is made of numbers, ids of the service and its own words, whatever was stored", () => {
    const words = new Set<string>([
      ...[...useCases, ...deliveryModes, ...amountModes, ...splitRoles, ...legStatuses, ...submitRefusals],
    ]);
    const isTold = (value: unknown): boolean => {
      if (typeof value === "string") return words.has(value) || /^[\da-f]{24}$/.test(value);
      if (typeof value === "object" && value !== null) return Object.values(value).every(isTold);
      return Number.isSafeInteger(value);
    };
    const anything = fc.oneof(
      fc.json().map((text) => JSON.parse(text) as unknown),
      fc.array(fc.object()),
      fc.string(),
    );
    const stored = fc.record(Object.fromEntries(allFields.map((field) => [field, anything])));
    fc.assert(
      fc.property(fc.constantFrom(...names), stored, (name, data) => {
        for (const details of detailsOf(name, data)) {
          expect(Object.keys(details).filter((field) => !fieldsOf(name).includes(field))).toEqual([]);
          expect(Object.values(details).every(isTold)).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("is what its row says", () => {
    const legs = [{ order: 0, status: "executing", reason: MARK }];
    expect(detailsOf("completed", { executionId, cause: MARK, legs })).toEqual([
      { executionId, legs: [{ order: 0, status: "executing" }] },
    ]);
    // A cancelled payment has nothing under way any more, as in the intent itself.
    expect(detailsOf("cancelled", { legs })).toEqual([{ legs: [{ order: 0, status: "cancelled" }] }]);
    const splitRoleOfLegs = [{ order: 1, splitRole: "tenant_commission" }];
    const submitted = { executionId, attempt: 1, connectorPaymentIds: [7], splitRoles: splitRoleOfLegs };
    expect(detailsOf("submitted", submitted)).toEqual([submitted]);
    expect(detailsOf("submission_released", { executionId, refusal: "rail_refused" })).toEqual([
      { executionId, refusal: "rail_refused" },
    ]);
    expect(detailsOf("failed", { total: 2, completed: 0, failed: 2 })).toEqual([{ total: 2, completed: 0, failed: 2 }]);
  });

  test("leaves out a recipient of whom a part is not known", () => {
    const legs = [{ order: 0 }, { status: "cleared" }, { order: 2, status: "cleared" }];
    expect(detailsOf("completed", { legs })).toEqual([{ legs: [{ order: 2, status: "cleared" }] }]);
  });

  test("is nothing of an event that the table does not have", () => {
    expect(entryOf("paymentIntent.renamed", { executionId })).toEqual([]);
    expect(entryOf("paymentIntent.toString", { executionId })).toEqual([]);
  });
});

describe("who caused an event", () => {
  const by = (name: IntentEventName, actor: string, clientId?: string) =>
    entryOf(`paymentIntent.${name}`, {}, actor, clientId).map((event) => [event.by, event.clientId]);

  test("is told without the names of users and operators", () => {
    expect(by("created", "ana@example.com", "demo")).toEqual([["caller", "demo"]]);
    expect(by("created", "payer")).toEqual([["payer", undefined]]);
    expect(by("cancelled", "olga")).toEqual([["operator", undefined]]);
    expect(by("cancelled", "schedule")).toEqual([["schedule", undefined]]);
    expect(by("cancelled", "ana@example.com", "demo")).toEqual([["caller", "demo"]]);
    expect(by("cancelled", "payer")).toEqual([["payer", undefined]]);
    expect(by("submission_taken_over", "service")).toEqual([["service", undefined]]);
  });

  test("is one of the causes of its row", () => {
    for (const name of names) {
      const rows: readonly string[] = intentEvents[name].by;
      for (const actor of [...causes, "somebody"]) expect(rows).toContain(by(name, actor)[0]?.[0]);
    }
  });
});

describe("what happened beside the changes", () => {
  const changeAt = (at: string) => toTimelineEntry({ version: 1, at, events: [], hash: "h", previous: null });
  const newsAt = (at: string): TimelineNews => ({ type: "paymentIntent.reviewOpened", at, by: "service", details: {} });
  const changes = ["b", "d", "f"].map(changeAt);
  const news = ["a", "b", "c", "d", "g"].map(newsAt);

  test.each<[string, from: number, until: number, expected: string[]]>([
    ["a whole timeline", 0, 3, ["abc", "d", "g"]],
    ["a first page", 0, 2, ["abc", "d"]],
    ["a page in the middle", 1, 2, ["d"]],
    ["a last page", 1, 3, ["d", "g"]],
  ])("is told with the change that it came behind, by %s", (_, from, until, expected) => {
    const page = { isFirst: from === 0, nextAt: changes[until]?.at };
    const entries = withNews(changes.slice(from, until), news, page);
    expect(entries.map(({ events }) => events.map(({ at }) => at).join(""))).toEqual(expected);
  });

  test("stands behind what the change itself shows", () => {
    const stored = { event: "paymentIntent.compiled", actor: "ana" };
    const [entry] = withNews(
      [toTimelineEntry({ version: 2, at: "b", events: [stored], hash: "h", previous: "p" })],
      [toCorrectionNews({ at: "c", executionId })],
      { isFirst: false, nextAt: undefined },
    );
    expect(entry).toEqual({
      ...{ version: 2, at: "b", hash: "h", previous: "p" },
      events: [
        { type: "paymentIntent.compiled", by: "caller", details: {} },
        { type: "paymentIntent.corrected", by: "operator", at: "c", details: { executionId } },
      ],
    });
  });
});
