import { describe, expect, onTestFinished, test } from "vitest";
import type { Client, Intent } from "../service/client.ts";
import { enterConsole } from "../service/console-fixture.ts";
import { newKey } from "../service/tuition.ts";
import type { Emulator } from "./emulator.ts";
import { expectRefused } from "./refused.ts";
import type { openStage } from "./stage.ts";

type Deployed = Readonly<{
  emulator: Emulator;
  stage: ReturnType<typeof openStage>;
  /** A client of tenant 1002, and a payment of tenant 1001. */
  otherTenant: Client;
  paid: Intent;
}>;

/** Tests operators' views and commands of a stage, with their own credentials. */
export function describeOperators(deployed: () => Deployed): void {
  test("the console shows the stage, by its operator's own credentials", async () => {
    const { stage, paid } = deployed();
    const running = await stage.openConsole();
    onTestFinished(running.stop);
    const read = await enterConsole(running);
    expect(await read("payments?tenant=1001")).toContain(paid.id);
    expect(await read(`intent?tenant=1001&id=${paid.id}`)).toMatch(
      /payer_receivable<\/span>.*?payable:provider_principal/,
    );
    expect(await read("books?tenant=1001")).toContain("In balance");
    expect(await read("todo?everywhere=yes")).toMatch(/needs a person/);
    expect(await read("queue")).toContain("sandbox");
  });

  describe("an operator with the stage's policies", () => {
    test("to look sees everything, and changes nothing", async () => {
      const { emulator, stage, otherTenant, paid } = deployed();
      const look = stage.operateAs(await operatorWith(emulator, stage.names.service, "looker", "OperatorLooksArn"));
      await Promise.all([
        ...["queue show", "ledger verify", "todo", "maintenance status", "tenants list"].map((all) =>
          look(...all.split(" ")),
        ),
        ...[
          "keys list",
          "audit",
          "intents list",
          "commission-requests list",
          "reconciliation list",
          `find ${paid.id}`,
        ].map((some) => look(...some.split(" "), "--tenant", "1001")),
      ]);
      const denied = /ended with 3\n.*(not authorized|AccessDenied)/s;
      await Promise.all(
        [
          ...["maintenance on", "tenants suspend 1002", "keys create looker-key --tenant 1002"],
          ...["keys revoke second-key", "queue redrive"],
        ].map((change) => expect(look(...change.split(" ")), change).rejects.toThrow(denied)),
      );
      expect((await otherTenant.call("GET", "/v2/payees")).status).toBe(200);
    });

    test("to change makes keys, suspends, sends again, and asks the rail", async () => {
      const { emulator, stage } = deployed();
      const both = ["OperatorLooksArn", "OperatorChangesArn"];
      const change = stage.operateAs(await operatorWith(emulator, stage.names.service, "changer", ...both));
      for (const command of [
        ...["keys create operators-key --tenant 1002", "keys rotate operators-key", "keys revoke operators-key"],
        ...["tenants suspend 1002", "tenants resume 1002", "maintenance on", "maintenance off"],
        ...["queue redrive", "ledger match --tenant 1001"],
      ])
        await change(...command.split(" "));
    });
  });

  test("a suspended tenant submits nothing, and reads", async () => {
    const { stage, otherTenant, paid } = deployed();
    await stage.operate("tenants", "suspend", "1002");
    expectRefused(await otherTenant.submit(paid.id, newKey()), 403, "[GEN9006]");
    expect((await otherTenant.call("GET", "/v2/payees")).status).toBe(200);
    await stage.operate("tenants", "resume", "1002");
  });
}

/** The credentials of a new user who has the stage's policies of these outputs, and nothing else. */
async function operatorWith(
  emulator: Emulator,
  StackName: string,
  UserName: string,
  ...outputs: readonly string[]
): Promise<Readonly<Record<string, string>>> {
  const { Stacks } = await emulator.call<Described>("cloudformation", "describe_stacks", { StackName });
  await emulator.call("iam", "create_user", { UserName });
  for (const { OutputKey = "", OutputValue: PolicyArn } of Stacks[0].Outputs)
    if (outputs.includes(OutputKey)) await emulator.call("iam", "attach_user_policy", { UserName, PolicyArn });
  const { AccessKey } = await emulator.call<NewKey>("iam", "create_access_key", { UserName });
  return { AWS_ACCESS_KEY_ID: AccessKey.AccessKeyId, AWS_SECRET_ACCESS_KEY: AccessKey.SecretAccessKey };
}

type Described = Readonly<{
  Stacks: [Readonly<{ Outputs: readonly Readonly<Record<"OutputKey" | "OutputValue", string>>[] }>];
}>;
type NewKey = Readonly<{ AccessKey: Readonly<{ AccessKeyId: string; SecretAccessKey: string }> }>;
