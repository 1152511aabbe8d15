import { routes } from "@intents/contract/routes.ts";
import { afterAll, describe, expect, test } from "vitest";
import { isWhole, some } from "../suite/sample.ts";
import { budgets } from "./budgets.ts";
import { operations } from "./operations.ts";
import { type Operation, openStage } from "./stage.ts";
import type { Cost } from "./watch.ts";

const stage = await openStage();
afterAll(stage.stop);

const units = ["calls", "depth", "reads", "writes"] as const;
const lines: Readonly<Record<string, Cost>> = budgets;

/** How a cost differs from its line, a sentence for each unit. */
function differences(cost: Cost, line: Cost): string[] {
  return units.flatMap((unit) => {
    if (cost[unit] > line[unit]) return `costs ${cost[unit]} ${unit}, more than the ${line[unit]} of its line`;
    if (cost[unit] < line[unit]) return `costs only ${cost[unit]} ${unit}: lower its line from ${line[unit]}`;
    return [];
  });
}

describe.each(Object.entries(operations))("%s", (_, group: Readonly<Record<string, Operation>>) => {
  test.each(some(Object.entries(group), 4))("%s costs what its line says, time and again", async (name, operation) => {
    const costs = [await stage.count(operation)];
    if (isWhole) costs.push(await stage.count(operation));
    for (const { disputed, ...cost } of costs) {
      // The rules of AWS and the report of the store are two counts of the same.
      expect(disputed).toEqual([]);
      const line = lines[name];
      expect(line === undefined ? cost : differences(cost, line)).toEqual([]);
    }
  });
});

const counted = Object.values(operations).flatMap((some) => Object.entries(some as Record<string, Operation>));

test("every line is that of an operation", () => {
  expect(Object.keys(lines).toSorted()).toEqual(counted.map(([name]) => name).toSorted());
});

test("every route is counted, but for the simulated rail's, those of which only the limit is known, and pages for developers", () => {
  const apart = ["sandbox-rail", "sandbox-testing", "reserved", "home", "docs"];
  const uncounted = Object.entries(routes).filter(
    ([name, { group }]) => !apart.includes(group) && !counted.some(([, { route }]) => route === name),
  );
  expect(uncounted.map(([name]) => name)).toEqual([]);
});
