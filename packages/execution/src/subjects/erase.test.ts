import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { listLegs } from "@intents/storage/intents/batch-legs.ts";
import { verifyTable } from "@intents/storage/operations/ledger-scan.ts";
import { afterAll, expect, test } from "vitest";
import { batchesOf } from "../batches/batch-fixture.ts";
import { overtaken } from "../fault-fixture.ts";
import { startPayers } from "../links/session-fixture.ts";
import type { Run } from "../run.ts";
import { eraseSubject } from "./erase.ts";

const { world, stop } = await startPayers();
afterAll(stop);

const { run, table } = world;
const tenantId = "1001";
const person = { firstName: "Zoe", lastName: "Quandorf", email: "zoe@example.com" };
const erase = (as = run, email = person.email) => eraseSubject(as, { tenantId, email });

test("the references of a batch go with the person whom it is for, and its books still add up", async () => {
  const { runToEnd, expectSound } = batchesOf(world, 12);
  const { recipients } = await world.newBatch(3, ["for Zoe", "SANDBOX-FAIL"]);
  const { id } = await world.newDraft({
    ...{ useCase: "payroll_payment", deliveryMode: "bulk", amountMode: "mixed_composite" },
    ...{ payer: { role: "tenant" }, subject: { role: "student", details: person }, recipients },
    instructions: { manualPayment: { countryCode: "AU", purpose: "other" } },
  });
  expect(await world.submit(id)).toMatchObject({ ok: true });
  expect(await erase()).toMatchObject({ intents: 0, waiting: [id] });
  await runToEnd(id);
  expect(await erase()).toEqual({ parties: 0, intents: 1, waiting: [] });
  const intent = await world.get(id);
  const legs = await listLegs(table, intent);
  for (const stored of [intent.recipients, intent.connectorPayment?.payouts, legs, await world.paymentsOf(id)])
    expect(JSON.stringify(stored)).not.toContain("Zoe");
  expect(intent.subject).toEqual({ role: "student" });
  await expectSound(id);
});

/** A worker before whose first deletion of a record something else happens. */
function deletingAfter(meanwhile: () => Promise<unknown>): Run {
  let happened: Promise<unknown> | undefined;
  const send = async (command: object) => {
    if (command instanceof DeleteCommand) {
      happened ??= meanwhile();
      await happened;
    }
    return table.db.send(command as never);
  };
  const db = new Proxy(table.db, { get: (target, name) => (name === "send" ? send : Reflect.get(target, name)) });
  return { ...run, table: { ...table, db } };
}

const newDraft = (email: string) => world.newDraft({ payer: { role: "student", details: { ...person, email } } });

test("a draft that is submitted before its document is gone is paid, and erased after its end", async () => {
  const email = "ana@else.example";
  const { id } = await newDraft(email);
  const racing = deletingAfter(async () => expect(await world.submit(id)).toMatchObject({ ok: true }));
  expect(await erase(racing, email)).toEqual({ parties: 0, intents: 0, waiting: [id] });
  world.clock.ms += 60_000;
  await world.tick(id);
  expect((await world.get(id)).status).toBe("completed");
  expect(await erase(run, email)).toEqual({ parties: 0, intents: 1, waiting: [] });
  expect(await verifyTable(table)).toMatchObject({ problems: 0 });
});

test("a draft that is submitted after its document is gone is refused, erased, and not paid", async () => {
  const email = "eva@else.example";
  const { id } = await newDraft(email);
  const racing = overtaken(run, async () => expect(await world.submit(id)).toMatchObject({ ok: false }));
  expect(await erase(racing, email)).toEqual({ parties: 0, intents: 1, waiting: [] });
  expect(await world.paymentsOf(id)).toEqual([]);
});
