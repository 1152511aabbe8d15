import type { Table } from "@intents/storage/table/table.ts";
import { afterAll, expect, test } from "vitest";
import { startPayers } from "../../test/session-fixture.ts";
import { issueLinkQuote } from "./link-quote.ts";
import { findPublicLink } from "./published-link.ts";

const { world, payers, stop } = await startPayers();
afterAll(stop);

const isSuspended = () => false;

/** The table, and the names of the commands that it was sent. */
function counted(table: Table) {
  const sent: string[] = [];
  const send = (command: object) => {
    sent.push(command.constructor.name);
    return table.db.send(command as never);
  };
  return { sent, table: { ...table, db: { send } as unknown as Table["db"] } };
}

test("the details of a link are one read, held or not", async () => {
  const link = await payers.publish({ isSingleUse: true });
  await payers.begin(link);
  const { sent, table } = counted(world.table);
  const found = await findPublicLink({ table, isSuspended }, link.stored.token, world.clock.ms);
  expect(found).toMatchObject({ ok: true, value: { link: { recipientName: "School 5001", held: {} } } });
  expect(sent).toEqual(["GetCommand"]);
});

test("a link whose tenant is suspended is closed to payers, held or not", async () => {
  const link = await payers.publish({ isSingleUse: true });
  await payers.begin(link);
  const means = { table: world.table, isSuspended: async (tenantId: string) => tenantId === link.intent.tenantId };
  const found = await findPublicLink(means, link.stored.token, world.clock.ms);
  expect(found).toMatchObject({ ok: true, value: { link: { status: "closed" } } });
  expect(found.ok && found.value.link).not.toHaveProperty("held");
});

test("an address that no link has is told so", async () => {
  const found = await findPublicLink({ table: world.table, isSuspended }, "nobody's", world.clock.ms);
  expect(found).toEqual({ ok: false, failure: { kind: "link_not_found" } });
});

test("an amount whose price is no exact number is refused with its bounds", async () => {
  const { intent } = await payers.publish(
    {},
    {
      amountMode: "free_entry_with_portions",
      recipients: [
        { role: "education_provider", connectorPayeeId: 5001, amount: { portionBps: 10_000, currency: "AUD" } },
      ],
    },
  );
  const asked = { payerCountryCode: "BR", amount: "70000000000000.01" };
  const issued = await issueLinkQuote(world.run, intent, asked, { nowMs: world.clock.ms, ttlMs: 1_000 });
  expect(issued).toMatchObject({
    failure: {
      kind: "shape",
      problems: [expect.stringMatching(/^amount is too large to be carried exactly: it may be/)],
    },
  });
});
