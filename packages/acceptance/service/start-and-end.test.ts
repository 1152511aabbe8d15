import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { launchService, runToEnd } from "./service.ts";

/** The processes that a service has started, which must end with it. */
const childrenOf = (pid: number): string =>
  spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" }).stdout.trim();

describe("a service that is told to end", () => {
  test.each(["SIGINT", "SIGTERM"] as const)(
    "by %s exits with 0, prints nothing, and no longer answers",
    async (signal) => {
      const service = await launchService();
      expect(childrenOf(service.pid)).not.toBe("");
      const banner = service.output();
      expect(await service.kill(signal)).toBe(0);
      expect(service.output()).toBe(banner);
      expect(childrenOf(service.pid)).toBe("");
      await expect(fetch(service.url)).rejects.toThrow();
    },
  );
});

describe("a machine for which there is no embedded DynamoDB", () => {
  test("is told in one line what to do instead, and nothing is left running", async () => {
    const otherPlatform = "data:text/javascript,Object.defineProperty(process,'platform',{value:'sunos'})";
    const { exitCode, stdout, stderr } = await runToEnd({ NODE_OPTIONS: `--import=${otherPlatform}` });
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^No embedded DynamoDB for sunos-[^\n]*DYNAMODB_ENDPOINT[^\n]*\n$/);
  });
});
