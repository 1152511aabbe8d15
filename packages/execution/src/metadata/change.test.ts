import { findMetadata, readMetadata } from "@intents/storage/intents/metadata.ts";
import { keysOf } from "@intents/storage/table/keys.ts";
import { afterAll, describe, expect, test } from "vitest";
import { startWorld } from "../../test/execution-fixture.ts";
import { overtakenAt } from "../../test/fault-fixture.ts";
import type { Run } from "../run.ts";
import { submitIntent } from "../submit/submit.ts";
import { changeMetadata } from "./change.ts";

const world = await startWorld();
afterAll(world.stop);

const NOTES = { a: "b" };
const about = (id: string) => ({ tenantId: "1001", id });
const note = (id: string, changes: Readonly<Record<string, string | null>> = NOTES) =>
  changeMetadata(world.run, about(id), { changes, isCurrent: () => true });
const submit = (intentId: string, as: Run = world.run) => submitIntent(as, { caller: world.caller, intentId });
const refused = { kind: "refused", reason: "closed account" } as const;
const refusing = () => world.withRail({ execute: async () => refused });
const bodyOf = async (id: string) => {
  const submitted = await submit(id);
  return submitted.ok ? (JSON.parse(submitted.value.body) as { data: object }).data : submitted;
};

describe("metadata that change between any two steps", () => {
  const draft = async () => (await world.newDraft()).id;
  const claimed = async () => {
    const id = await draft();
    const lost = world.telling({ kind: "unknown", reason: "lost" });
    expect(await submit(id, lost)).toMatchObject({ failure: { kind: "outcome_unknown" } });
    return id;
  };
  const works: readonly [string, () => Promise<string>, (id: string, as: Run) => Promise<unknown>, () => Run][] = [
    ["a submit", draft, submit, () => world.run],
    ["a take-over", claimed, (id, as) => world.tick(id, as), () => world.run],
    ["a release", draft, submit, refusing],
  ];

  test.each(works)(
    "of %s stay, no commit fails by it, and nothing else of the payment changes",
    async (_, prepare, work, as) => {
      // The number of calls differs by what a worker still remembers: it ends at the first call that is not reached.
      for (let k = 1; ; k++) {
        const id = await prepare();
        const seen = { isReached: false };
        const slow = overtakenAt(as(), k, async () => {
          seen.isReached = true;
          const { version, updatedAt, auditHead } = await world.get(id);
          expect(await note(id)).toMatchObject({ ok: true });
          expect(await world.get(id)).toMatchObject({ version, updatedAt, auditHead });
        });
        await work(id, slow);
        if (!seen.isReached) {
          expect(k).toBeGreaterThan(3);
          return;
        }
        expect(await findMetadata(world.table, about(id))).toEqual(NOTES);
        const { status, submission } = await world.get(id);
        expect([status, submission]).toEqual([as() === world.run ? "executing" : "draft", undefined]);
        // Whenever it was noted down, the next submit tells it.
        if (status === "draft") expect(await bodyOf(id)).toMatchObject({ metadata: NOTES });
      }
    },
  );
});

test("a page reads those of its intents, however many others lie between, and whatever was removed", async () => {
  const ids: string[] = [];
  for (let made = 0; made < 8; made++) ids.push((await world.newDraft()).id);
  for (const id of ids.slice(1)) expect(await note(id, { id })).toMatchObject({ ok: true });
  const [none = "", removed = "", ...others] = ids;
  expect(await note(removed, { id: null })).toMatchObject({ ok: true });
  const read = (some: readonly string[]) =>
    readMetadata(
      world.table,
      some.map((id) => keysOf("1001").intent(id)),
    );
  const ofPage = async (...some: readonly string[]) => [...(await read(some)).values()].map(({ id }) => id);
  expect((await ofPage(...ids)).toSorted()).toEqual(others.toSorted());
  const [first = "", last = ""] = [ids.toSorted()[0], ids.toSorted().at(-1)];
  const ends = [first, last].filter((id) => others.includes(id));
  expect(await ofPage(first, last)).toEqual(ends);
  expect(await ofPage(none, removed)).toEqual([]);
  expect(await ofPage()).toEqual([]);
});

test("the first metadata of a draft are in the answer to its submit", async () => {
  const { id } = await world.newDraft();
  expect(await note(id)).toMatchObject({ ok: true });
  expect(await bodyOf(id)).toMatchObject({ status: "executing", metadata: NOTES });
});

test("changes of many at once are all kept", async () => {
  const { id } = await world.newDraft();
  const names = Array.from({ length: 10 }, (_, at) => `key${at}`);
  await Promise.all(names.map((name) => note(id, { [name]: name })));
  const all = Object.fromEntries(names.map((name) => [name, name]));
  expect(await findMetadata(world.table, about(id))).toEqual(all);
});

test("what would be too much, or is about another state, changes nothing", async () => {
  const { id } = await world.newDraft();
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`key${at}`, "x"]));
  expect(await note(id, many)).toMatchObject({ ok: true });
  expect(await note(id, { one: "more" })).toMatchObject({ ok: false, failure: { kind: "shape" } });
  expect(await note(id, { key0: null, one: "more" })).toMatchObject({ ok: true });
  const stale = { changes: { key1: null }, isCurrent: () => false };
  expect(await changeMetadata(world.run, about(id), stale)).toMatchObject({ ok: false, failure: { kind: "stale" } });
  const { key0, ...left } = many;
  expect(await findMetadata(world.table, about(id))).toEqual({ ...left, one: "more" });
});
