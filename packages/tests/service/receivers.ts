import { spawn } from "node:child_process";
import { once } from "node:events";
import { freePort } from "@intents/local/free-port.ts";
import { expect, onTestFinished } from "vitest";
import { eventually } from "./service-fixture.ts";

// Receivers of webhooks, each a program of its own, as a stranger runs them.

/** Starts a program, and gives the process and its output so far. The program ends with the test. */
export function startProgram(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const output = { text: "" };
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    output.text += part;
  });
  return { child, output };
}

/** Starts a receiver at `url`, and waits until it refuses a request that nobody signed. */
export async function startReceiver(command: string, file: string, url: string, secret: string) {
  const { child, output } = startProgram(command, [file], { PORT: new URL(url).port, WEBHOOK_SECRET: secret });
  const forged = { method: "POST", headers: { "webhook-id": "1" }, body: "{}" };
  await eventually(async () => expect((await fetch(url, forged)).status).toBe(400));
  const stop = async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { output, stop };
}

/** An address for a receiver that does not run yet. */
export const freeReceiverUrl = async () => `http://127.0.0.1:${await freePort()}/hook`;
