import { type Command, InvalidArgumentError, Option } from "commander";
import type { Where } from "../command-line.ts";
import { openSession } from "../session.ts";
import { openAccess } from "./access.ts";
import { openMeans } from "./means.ts";
import { openPages } from "./pages.ts";
import { serveConsole } from "./server.ts";

type Options = Readonly<{ listen: number }>;

export function consoleCommand(program: Command): void {
  program
    .command("console")
    .description("pages to look at payments, queue and books: read-only, for this machine alone, with your credentials")
    .addOption(new Option("--listen <port>", "the port of the pages").argParser(parsePort).default(0, "a free one"))
    .action(async ({ listen }: Options, command: Command) => {
      const session = await openSession(command);
      // The console is built here, because no other command needs its builder.
      const { assembleConsole } = await import("@intents/console/assemble.ts");
      const [means, console] = await Promise.all([
        openMeans(session, command.optsWithGlobals<Where>()),
        assembleConsole(),
      ]);
      const { address } = await serveConsole(openAccess(), openPages({ means, console }), listen);
      process.stdout.write(session.format === "json" ? `${JSON.stringify({ address })}\n` : `${redacted(address)}\n`);
    });
}

const redacted = (address: string): string =>
  `Open this address; it is good for one visit, and this browser alone. Ctrl-C ends the console.\n${address}`;

function parsePort(value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : -1;
  if (port < 0 || port > 65_535) throw new InvalidArgumentError("a port from 0 to 65535");
  return port;
}
