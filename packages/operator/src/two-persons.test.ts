import { parseSettings } from "@intents/deployment/settings.ts";
import { DAY_MS } from "@intents/domain/durations.ts";
import { listOperatorAudit } from "@intents/storage/audit/operators.ts";
import { startTable } from "@intents/storage/test/table-fixture.ts";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import type { Refusal } from "./refusal.ts";
import { requireAgreement } from "./two-persons.ts";

const AT_MS = Date.UTC(2026, 10, 22, 9);

const { table, stop } = await startTable();
afterAll(stop);
afterEach(() => {
  vi.restoreAllMocks();
});

let tenants = 2000;
/** A stage whose operators ask for one change of a new tenant. */
function openStage(TWO_PERSONS: "off" | "on" = "on") {
  const tenantId = String(++tenants);
  const session = { table, format: "json" as const, settings: async () => parseSettings({ TWO_PERSONS }) };
  const printed = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  /** Whether the call passes; it may also be proposed, or refused for another reason, which is thrown. */
  const ask = (operator: string, data: Readonly<Record<string, unknown>> = {}, laterMs = 0): Promise<boolean> =>
    requireAgreement(session, tenantId, {
      ...{ operator, reason: "ticket 7", action: "intents.resolve", atMs: AT_MS + laterMs },
      data: { intentId: "1", as: "failed", ...data },
    }).then(
      () => true,
      (error: Refusal) => {
        if (error.kind !== "proposed") throw error;
        return false;
      },
    );
  const audit = async () => (await listOperatorAudit(table, tenantId, 100)).toReversed();
  return { ask, audit, printed };
}

describe("a change that takes two persons", () => {
  test("is proposed by the first and carried out by another, once", async () => {
    const { ask, audit, printed } = openStage();
    expect(await ask("olga")).toBe(false);
    expect(JSON.parse(String(printed.mock.calls[0]?.[0]))).toMatchObject({
      ...{ proposed: "intents.resolve", intentId: "1", by: "olga" },
      expiresAt: new Date(AT_MS + DAY_MS).toISOString(),
    });
    expect(await ask("pete", {}, 1)).toBe(true);
    expect(await ask("pete", {}, 2)).toBe(false);
    expect(await audit()).toMatchObject([
      { operator: "olga", action: "intents.resolve.propose", data: { as: "failed" } },
      { operator: "pete", action: "intents.resolve.agree", data: { as: "failed", proposedBy: "olga" } },
      { operator: "pete", action: "intents.resolve.propose" },
    ]);
  });

  test("is not carried out by who proposed it, however often", async () => {
    const { ask } = openStage();
    await ask("olga");
    for (const laterMs of [1, DAY_MS - 1]) await expect(ask("olga", {}, laterMs)).rejects.toThrow("another person");
    expect(await ask("pete", {}, DAY_MS - 1)).toBe(true);
  });

  const aws = (service: "iam" | "sts", name: string) => `arn:aws:${service}::111122223333:${name}`;
  const identityCenter = (role: string, user: string) =>
    aws("sts", `assumed-role/AWSReservedSSO_${role}_0123456789abcdef/${user}`);

  test.each([
    [
      "of another session of a role",
      aws("sts", "assumed-role/Operators/olga"),
      aws("sts", "assumed-role/Operators/pete"),
    ],
    ["of another role in Identity Center", identityCenter("Operators", "olga"), identityCenter("Admins", "olga")],
  ])("is not carried out by the same person in the name %s", async (_, one, other) => {
    const { ask } = openStage();
    expect(await ask(one)).toBe(false);
    await expect(ask(other, {}, 1)).rejects.toThrow(`You proposed this on 2026-11-22T09:00:00.000Z, as ${one}`);
  });

  test("is neither proposed nor carried out in a federated session, which whoever asks for it names", async () => {
    const { ask } = openStage();
    await expect(ask(aws("sts", "federated-user/olga"))).rejects.toThrow("use a user of IAM");
    expect(await ask(aws("iam", "user/olga"))).toBe(false);
    await expect(ask(aws("sts", "federated-user/pete"), {}, 1)).rejects.toThrow("use a user of IAM");
  });

  test.each([
    ["users of the account", aws("iam", "user/olga"), aws("iam", "user/pete")],
    ["users of Identity Center", identityCenter("Operators", "olga"), identityCenter("Operators", "pete")],
    ["roles", aws("sts", "assumed-role/Operators/olga"), aws("sts", "assumed-role/Treasury/olga")],
  ])("is carried out for two %s", async (_, one, other) => {
    const { ask } = openStage();
    expect(await ask(one)).toBe(false);
    expect(await ask(other, {}, 1)).toBe(true);
  });

  test("that was agreed to and then lost takes two once more, whoever asks first", async () => {
    const { ask } = openStage();
    await ask("olga");
    expect(await ask("pete", {}, 1)).toBe(true);
    expect(await ask("pete", {}, 2)).toBe(false);
    await expect(ask("pete", {}, 3)).rejects.toThrow("another person");
    expect(await ask("olga", {}, 4)).toBe(true);
  });

  test("is proposed anew once the proposal has expired, by whomever", async () => {
    const { ask } = openStage();
    await ask("olga");
    expect(await ask("pete", {}, DAY_MS)).toBe(false);
    await expect(ask("pete", {}, DAY_MS + 1)).rejects.toThrow("another person");
    expect(await ask("olga", {}, DAY_MS + 1)).toBe(true);
  });

  test("is agreed to as it is, in whatever order it is written: another outcome is another proposal", async () => {
    const { ask } = openStage();
    await ask("olga");
    expect(await ask("pete", { as: "completed" })).toBe(false);
    expect(await ask("pete", { as: "failed", intentId: "1" })).toBe(true);
    expect(await ask("olga", { as: "completed" })).toBe(true);
  });

  test("is carried out once for each proposal, however many agree at once: who is late proposes it anew", async () => {
    const { ask, audit } = openStage();
    await ask("olga");
    const agreed = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => ask(`pete-${index}`)));
    const carriedOut = agreed.filter((answer) => answer.status === "fulfilled" && answer.value);
    const proposers = (await audit()).flatMap(({ action, data }) =>
      action === "intents.resolve.agree" ? [data?.["proposedBy"]] : [],
    );
    expect(proposers).toContain("olga");
    expect(new Set(proposers).size).toBe(proposers.length);
    expect(carriedOut).toHaveLength(proposers.length);
  });

  test("takes one where the stage does not ask for two, and leaves no proposal", async () => {
    const { ask, audit } = openStage("off");
    expect(await ask("olga")).toBe(true);
    expect(await audit()).toEqual([]);
  });
});
