import { once } from "node:events";
import { createServer } from "node:net";
import { StartFailure } from "./start-failure.ts";

/** Everything here listens on this machine's own address only: the seeded keys are known to all. */
export const LOCAL_ADDRESS = "127.0.0.1";

/** `port` itself when it can be listened on, or any free one for 0. Throws StartFailure when it is taken. */
export async function freePort(port = 0): Promise<number> {
  const probe = createServer().listen(port, LOCAL_ADDRESS);
  try {
    await once(probe, "listening");
  } catch (error) {
    throw new StartFailure(portProblem(port, error));
  }
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (typeof address !== "object" || address === null) throw new Error("A listening server has no address");
  return address.port;
}

/** The explanation of a failure to listen on `port`, and what to do about it. */
export function portProblem(port: number, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return `Port ${port} is taken: end what listens there, or set PORT to another one (0: any free)`;
  return `Port ${port} cannot be listened on (${code}): set PORT to another one (0: any free)`;
}
