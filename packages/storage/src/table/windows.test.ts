import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, describe, expect, test } from "vitest";
import { startTable } from "../../test/table-fixture.ts";
import { takeFromWindow, type Window } from "./windows.ts";

const { table, stop } = await startTable();
afterAll(stop);

let subjects = 0;
const newWindow = (limit: number): Window => ({
  name: "second",
  subject: `key-${++subjects}`,
  startS: 1_795_000_000,
  lengthS: 1,
  limit,
});

describe("a rate window", () => {
  test("gives the wanted number, then what is left, then nothing", async () => {
    const window = newWindow(10);
    expect(await takeFromWindow(table, window, 4)).toEqual({ taken: 4, used: 4 });
    expect(await takeFromWindow(table, window, 4)).toEqual({ taken: 4, used: 8 });
    expect(await takeFromWindow(table, window, 4)).toEqual({ taken: 2, used: 10 });
    expect(await takeFromWindow(table, window, 4)).toEqual({ taken: 0, used: 10 });
  });

  test("never gives more than its limit, however many ask at once (H53)", async () => {
    const window = newWindow(20);
    const takes = await Promise.all(Array.from({ length: 40 }, () => takeFromWindow(table, window, 1)));
    expect(takes.reduce((sum, { taken }) => sum + taken, 0)).toBe(20);
    const bites = newWindow(20);
    const bitten = await Promise.all(Array.from({ length: 12 }, () => takeFromWindow(table, bites, 3)));
    expect(bitten.reduce((sum, { taken }) => sum + taken, 0)).toBeLessThanOrEqual(20);
  });

  test("gives nothing, and takes nothing back, when its limit has sunk below what is used", async () => {
    const window = newWindow(10);
    await takeFromWindow(table, window, 8);
    expect(await takeFromWindow(table, { ...window, limit: 5 }, 4)).toEqual({ taken: 0, used: 5 });
    expect(await takeFromWindow(table, window, 4)).toEqual({ taken: 2, used: 10 });
  });

  test("is counted apart for each subject, name and start", async () => {
    const window = newWindow(1);
    const others = [window, { ...window, subject: "other" }, { ...window, name: "minute" }, { ...window, startS: 1 }];
    const takes = await Promise.all(others.map((other) => takeFromWindow(table, other, 1)));
    expect(takes.map(({ taken }) => taken)).toEqual([1, 1, 1, 1]);
    expect(await takeFromWindow(table, window, 1)).toEqual({ taken: 0, used: 1 });
  });

  test("may be deleted two minutes after it has ended", async () => {
    const window = newWindow(5);
    await takeFromWindow(table, window, 1);
    const Key = { PK: `RATE#second#${window.subject}`, SK: String(window.startS) };
    const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key }));
    expect(Item?.["ttl"]).toBe(window.startS + 1 + 120);
  });
});
