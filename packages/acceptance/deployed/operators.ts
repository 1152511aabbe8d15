import { expect, onTestFinished, test } from "vitest";
import type { Client, Intent } from "../service/client.ts";
import { enterConsole } from "../service/console-fixture.ts";
import { newKey } from "../service/tuition.ts";
import { expectRefused } from "./refused.ts";
import type { openStage } from "./stage.ts";

type Deployed = Readonly<{
  stage: ReturnType<typeof openStage>;
  /** A client of tenant 1002, and a payment of tenant 1001. */
  otherTenant: Client;
  paid: Intent;
}>;

/** What operators see of a stage and do to it, with their own credentials. */
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

  test("a suspended tenant submits nothing, and reads", async () => {
    const { stage, otherTenant, paid } = deployed();
    await stage.operate("tenants", "suspend", "1002");
    expectRefused(await otherTenant.submit(paid.id, newKey()), 403, "[GEN9006]");
    expect((await otherTenant.call("GET", "/v2/payees")).status).toBe(200);
    await stage.operate("tenants", "resume", "1002");
  });
}
