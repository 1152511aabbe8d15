import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where the local service on `port` writes down how its stores are reached, for the operator's command line. */
export const runningFile = (port: number | string): string => join(tmpdir(), `payment-intent-service-${port}.json`);
