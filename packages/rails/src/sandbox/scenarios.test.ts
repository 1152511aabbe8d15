import type { PaymentLeg } from "@intents/domain/rails/rail.ts";
import { testOutcomes } from "@intents/domain/rails/test-outcomes.ts";
import { afterAll, describe, expect, test } from "vitest";
import { DEDUP_MS, leg, order, SETTLE_MS, startSandbox } from "../../test/rail-fixture.ts";
import { sandboxBank } from "./bank.ts";
import { describeScenarios } from "./describe-scenarios.ts";
import { failuresOf, testReferences } from "./scenarios.ts";
import { sandbox } from "./terms.ts";

const table = await startSandbox();
afterAll(() => table.stop());

const times = { settleSeconds: SETTLE_MS / 1000, dedupSeconds: DEDUP_MS / 1000 };
const described = describeScenarios([sandboxBank, sandbox], times);

describe.each([sandboxBank, sandbox])("on the rail $rail.name", (terms) => {
  const settleMs = 1000 * (described.rails.find(({ name }) => name === terms.rail.name)?.settleSeconds ?? 0);

  test.each(described.references)("$reference does what its row tells", async ({ reference, ...row }) => {
    const tenantId = `${terms.rail.name}-${reference}`;
    const legs = [leg({ order: 0, reference }), leg({ order: 1, payeeId: 12 })];
    const executionId = table.newId();
    const { port } = table.open(table.db, terms);
    const answer = await port.execute(order({ tenantId, legs }), executionId);
    expect(answer.kind).toBe(row.answers ?? "accepted");
    const again = await port.execute(order({ tenantId, legs }), executionId);
    expect(again.kind).toBe(row.answers === "unknown" ? "accepted" : answer.kind);
    if (again.kind !== "accepted") {
      expect(await port.status(tenantId, executionId)).toEqual({ kind: "not_found" });
      return;
    }
    table.clock.ms += settleMs * (row.settlementTimes ?? 1) - 1;
    expect(await port.status(tenantId, executionId)).toEqual({ kind: "pending" });
    table.clock.ms += 1;
    const failed = { outcome: "failed", reason: row.fails?.reason };
    const cleared = { outcome: "cleared" };
    expect(await port.status(tenantId, executionId)).toEqual({
      kind: "settled",
      legs: [
        { order: 0, ...(row.fails ? failed : cleared) },
        { order: 1, ...(row.fails?.legs === "all" ? failed : cleared) },
      ],
    });
  });
});

describe("of the legs that fail", () => {
  const failing = (...references: readonly (string | undefined)[]) => {
    const legs = references.map((reference, index): PaymentLeg => {
      const one = leg({ order: index });
      return reference === undefined ? one : { ...one, reference };
    });
    return [...failuresOf(legs).keys()].map((one) => one.order);
  };

  test("none is one without a test's reference", () => {
    expect(failing(undefined, "Invoice 7")).toEqual([]);
  });

  test("all do where one asks for it, whatever the others ask for", () => {
    expect(failing("SANDBOX-PARTIAL", "SANDBOX-FAIL", undefined)).toEqual([0, 1, 2]);
  });

  test("the first alone does where all are marked, as those of a link are", () => {
    expect(failing("SANDBOX-PARTIAL", "SANDBOX-PARTIAL")).toEqual([0]);
    expect(failing(undefined, "SANDBOX-PARTIAL", "SANDBOX-PARTIAL")).toEqual([1, 2]);
  });
});

test("all references are told, in the order of their names in the domain", () => {
  expect(described.references.map(({ reference }) => reference)).toEqual(testOutcomes);
  expect(Object.keys(testReferences)).toEqual(testOutcomes);
});
