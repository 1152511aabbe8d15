import { randomInt } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { StartFailure } from "./start-failure.ts";

/** Everything here listens on this machine's own address only: the seeded keys are known to all. */
export const LOCAL_ADDRESS = "127.0.0.1";

/**
 * Ports below those that systems give to outgoing connections: 32768 and above on Linux, 49152 elsewhere. No connection
 * takes one of these between its choice and the start of whatever shall listen on it.
 */
const QUIET_PORTS = [10_240, 32_768] as const;
const TRIES_MAX = 20;

/**
 * A loopback address that nobody can guess, where the system has more than one; else the usual one. It hides a store
 * that asks its callers for nothing.
 */
export async function drawAddress(): Promise<string> {
  const drawn = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  return (await listenOnce(0, drawn)) === undefined ? drawn : LOCAL_ADDRESS;
}

/** `port` itself when it can be listened on, or any free one for 0. Throws StartFailure when it is taken. */
export async function freePort(port = 0, address = LOCAL_ADDRESS): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const chosen = port === 0 ? randomInt(...QUIET_PORTS) : port;
    const error = await listenOnce(chosen, address);
    if (error === undefined) return chosen;
    if (port !== 0 || tries === TRIES_MAX) throw new StartFailure(portProblem(chosen, error));
  }
}

/** Listens on `port` of this machine, or any free one for 0; resolves with the address as a URL. */
export async function listenHere(server: Server, port = 0): Promise<string> {
  server.listen(port, LOCAL_ADDRESS);
  await once(server, "listening");
  return `http://${LOCAL_ADDRESS}:${(server.address() as AddressInfo).port}`;
}

/** Listens on a port for a moment; resolves with the reason when that is impossible. */
async function listenOnce(port: number, address: string): Promise<unknown> {
  const probe = createServer().listen(port, address);
  try {
    await once(probe, "listening");
  } catch (error) {
    return error;
  }
  probe.close();
  await once(probe, "close");
  return undefined;
}

/** The explanation of a failure to listen on `port`, and what to do about it. */
export function portProblem(port: number, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return `Port ${port} is taken: end what listens there, or set PORT to another one (0: any free)`;
  return `Port ${port} cannot be listened on (${code}): set PORT to another one (0: any free)`;
}
