import { tmpdir } from "node:os";
import { join } from "node:path";

/** The file in which the local service on `port` tells the operator's command line how to reach its stores. */
export const runningFile = (port: number | string): string => join(tmpdir(), `payment-intent-service-${port}.json`);
