import { createRequire, syncBuiltinESMExports } from "node:module";
import type { LookupFunction } from "node:net";
import type { ConnectionOptions } from "node:tls";

/** The name of the one receiver of webhooks that functions in the emulator reach, and the address that it resolves to. */
export const RECEIVER = "receiver.example";
const ADDRESS = "93.184.215.14";
/** The port of this machine to which that address leads, in the environment of the emulator. */
export const RECEIVER_PORT = "RECEIVER_PORT";

/**
 * Takes the place of the Internet in the functions of the emulator, which load this file first: a name, whose public
 * address leads to this machine. The service judges name, address and certificate as it does anywhere.
 */
function replaceInternet(port: number): void {
  const require = createRequire(import.meta.url);
  const dns = require("node:dns") as { lookup: LookupFunction };
  const tls = require("node:tls") as { connect: (options: ConnectionOptions, ...more: unknown[]) => unknown };
  const { lookup } = dns;
  dns.lookup = (name, options, tell) =>
    name === RECEIVER ? tell(null, [{ address: ADDRESS, family: 4 }]) : lookup(name, options, tell);
  const { connect } = tls;
  tls.connect = (options, ...more) => {
    const judged = options.lookup;
    if (options.host !== RECEIVER || judged === undefined) return connect(options, ...more);
    const leading: LookupFunction = (name, asked, tell) =>
      judged(name, asked, (error) => tell(error, [{ address: "127.0.0.1", family: 4 }]));
    return connect({ ...options, port, lookup: leading }, ...more);
  };
  syncBuiltinESMExports();
}

const port = Number(process.env[RECEIVER_PORT]);
if (port > 0) replaceInternet(port);
