import { afterAll, vi } from "vitest";
import { BASIC, openClient, WAIT_MS_MAX } from "./client.ts";
import { openOperator } from "./operator-fixture.ts";
import { launchHeldService, launchService, type RunningService } from "./service.ts";

type Environment = Parameters<typeof launchService>[0];

/** For a test file: a service that runs for as long as its tests do, with a client for each of the seeded keys. */
export const openService = async (env?: Environment) => withClients(await launchService(env));

/** The same, with a clock that stands still, and that only the test moves. */
export const openHeldService = async (env?: Environment) => withClients(await launchHeldService(env));

function withClients<Service extends RunningService>(service: Service) {
  afterAll(() => service.stop());
  return { service, client: openClient(service.url), basic: openClient(service.url, BASIC) };
}

/** A service like that, with an operator. */
export async function openOperatedService(env?: Environment) {
  const opened = await openService(env);
  const operator = openOperator(opened.service.url);
  afterAll(() => operator.close());
  return { ...opened, operator };
}

/** Waits until `check` throws no more. Unlike `expect.poll`, it may be used in tests that run at the same time. */
export const eventually = <Value>(check: () => Promise<Value>): Promise<Value> =>
  vi.waitFor(check, { timeout: WAIT_MS_MAX, interval: 100 });
