import { afterAll, expect, test } from "vitest";
import { newSecret, publishLink } from "../service/links.ts";
import { hotKeys, type KeyLine, paymentsPerSecond } from "./hot-keys.ts";
import { paymentOperations } from "./payments.ts";
import { openStage, TENANT } from "./stage.ts";
import type { Counted, KeyUnits } from "./watch.ts";

const stage = await openStage();
afterAll(stage.stop);

/** The units of every key that both of two payments need, each of which was counted in parts. */
function sharedKeys(one: readonly Counted[], other: readonly Counted[]): ReadonlyMap<string, KeyUnits> {
  const [first, second] = [one, other].map(sumOf);
  return new Map([...(first ?? [])].filter(([key]) => second?.has(key)));
}

function sumOf(parts: readonly Counted[]): Map<string, KeyUnits> {
  const sum = new Map<string, KeyUnits>();
  for (const [partition, { reads, writes }] of parts.flatMap(({ byKey }) => [...byKey])) {
    // A payment meets a counter's partition by chance, and a partition of events by its id.
    const key = partition.replace(/(#COUNT#.*#|#EVENT#)\d$/, "$1{partition}");
    const known = sum.get(key) ?? { reads: 0, writes: 0 };
    sum.set(key, { reads: known.reads + reads, writes: known.writes + writes });
  }
  return sum;
}

/** The lines that were counted, by their keys. Timers are spread over shards, which two payments seldom share. */
const toLines = (keys: ReadonlyMap<string, KeyUnits>, linkId = "none") =>
  [...keys]
    .filter(([key]) => !key.startsWith("payment-intents/byDue "))
    .map(([key, units]) => ({
      key: key.replaceAll(`T#${TENANT}`, "T#{tenant}").replaceAll(linkId, "{link}"),
      ...units,
    }))
    .toSorted((left, right) => left.key.localeCompare(right.key));

const linesOf = (flow: KeyLine["of"]) =>
  hotKeys
    .filter(({ of }) => of === flow)
    .map(({ key, reads, writes }) => ({ key, reads, writes }))
    .toSorted((left, right) => left.key.localeCompare(right.key));

test("the keys that payments of a tenant share are known, with what a payment costs each", async () => {
  const pay = async () => [
    await stage.count(paymentOperations["a draft is made"]),
    await stage.count(paymentOperations["a submit with a key"]),
    await stage.count(paymentOperations["a payment completes"]),
  ];
  expect(toLines(sharedKeys(await pay(), await pay()))).toEqual(linesOf("a payment"));
});

test("the keys that payments by a link share are known, with what a payment costs each", async () => {
  const link = await publishLink(stage.client);
  const sessions: Counted[] = [];
  const pay = async () => {
    const body = await link.payer.sessionBody();
    let childId = "";
    const open = async () => {
      childId = (await link.payer.open(body, newSecret())).paymentIntentId;
    };
    const opened = await stage.count({ route: "openPayerSession", prepare: async () => open });
    stage.moveClock(600_000);
    const message = await stage.questionFor(childId);
    sessions.push(opened);
    return [opened, await stage.count({ prepare: async () => () => stage.advance(message) })];
  };
  const toLinesOfLink = (counted: ReadonlyMap<string, KeyUnits>) =>
    toLines(counted, link.id)
      .map((line) => ({
        ...line,
        key: line.key.replace(link.token, "{token}").replace(/(PAYERSOURCE#\{link\}#).*/, "$1{source}"),
      }))
      .toSorted((left, right) => left.key.localeCompare(right.key));
  const shared = sharedKeys(await pay(), await pay());
  expect(toLinesOfLink(shared)).toEqual(linesOf("a payment by a link"));
  const [one, other] = sessions.map((session) => [session]);
  expect(toLinesOfLink(sharedKeys(one ?? [], other ?? []))).toEqual(linesOf("a session on a link"));
});

test("a tenant makes 200 payments a second, and 300 sessions a second are begun on a link, before any key ends", () => {
  const least = (of: KeyLine["of"], ...whose: readonly KeyLine["whose"][]) =>
    Math.min(...hotKeys.filter((line) => line.of === of && whose.includes(line.whose)).map(paymentsPerSecond));
  expect(least("a payment", "tenant", "payee", "rail")).toBeGreaterThanOrEqual(200);
  expect(least("a payment by a link", "tenant", "link", "payee", "rail")).toBeGreaterThanOrEqual(200);
  expect(least("a session on a link", "tenant", "link", "payee", "rail")).toBeGreaterThanOrEqual(300);
});
