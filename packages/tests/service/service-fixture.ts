import { afterAll, vi } from "vitest";
import { BASIC, openClient, WAIT_MS_MAX } from "./client.ts";
import { openOperator } from "./operator-fixture.ts";
import { launchHeldService, launchService, type RunningService } from "./service.ts";
import { type SharedService, shareService, usual } from "./shared-service.ts";

type Environment = Parameters<typeof launchService>[0];

/**
 * For a test file: a service with the demo's data, and a client for each of the seeded keys. Without settings of its own
 * a file gets the process that others have used before it; with `env` it starts one, which ends with it.
 */
export const openService = async (env?: Environment) =>
  withClients(env === undefined ? await shareService() : endWithFile(await launchService(env)));

/** A service of the file's own: a file that calls all routes uses up the ten endpoint tests that a minute allows. */
export const openOwnService = (more: Environment = {}) => openService({ ...usual, ...more });

/** A service of the file's own, with a clock that stands still, and that only the test moves. */
export const openHeldService = async (env?: Environment) => withClients(endWithFile(await launchHeldService(env)));

function endWithFile<Service extends RunningService>(service: Service): Service {
  afterAll(() => service.stop());
  return service;
}

const withClients = <Service extends SharedService>(service: Service) => ({
  service,
  client: openClient(service.url),
  basic: openClient(service.url, BASIC),
});

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
