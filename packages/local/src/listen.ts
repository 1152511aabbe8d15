import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { Command } from "commander";
import { openClient } from "../../client/src/client.ts";
import type { WantedEventType } from "../../client/src/schemas/words.ts";
import { listenHere } from "./free-port.ts";

type Options = Readonly<{ to: string; port: string; key: string; types?: readonly WantedEventType[] }>;

/** The headers that a receiver verifies a delivery by, and what says what the body is. */
const FORWARDED = ["content-type", "user-agent", "webhook-id", "webhook-timestamp", "webhook-signature"];
/** A receiver has as long as the service would wait for it. */
const ANSWER_MS_MAX = 15_000;

const program = new Command("listen")
  .description("Forwards the events of the service on this machine to an address, and prints each delivery.")
  .requiredOption(
    "--to <url>",
    "address that gets each delivery as the service sent it, such as http://localhost:4242/hook",
  )
  .option("--types <type...>", "only events of these types, such as paymentIntent.completed; default: all")
  .option("--port <port>", "port of the running service", process.env["PORT"] ?? "3000")
  .option("--key <key>", "API key of the tenant whose events these are", "demo:demo-secret")
  .action(listen);

/** Has the tenant's events sent to this process until it is ended, and passes them on. */
async function listen({ to, port, key, types }: Options): Promise<void> {
  if (!URL.canParse(to)) throw new Error(`${to} is no address such as http://localhost:4242/hook`);
  const client = openClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: key });
  const server = createServer((request, response) => void forward(to, request, response));
  const url = `${await listenHere(server)}/`;
  const wanted = types === undefined ? {} : { types: [...types] };
  const { id, secret } = await client.webhookEndpoints.create({
    url,
    description: `listen, to ${to}`.slice(0, 200),
    ...wanted,
  });
  const end = async () => {
    await client.webhookEndpoints
      .delete(id)
      .catch((error: Error) => complain(`The endpoint ${id} is left: ${error.message}`));
    server.close();
    server.closeAllConnections();
  };
  process.once("SIGINT", end).once("SIGTERM", end);
  print(`Events go to ${to}, signed by ${secret}. Ctrl-C ends it.`);
}

/** Passes a delivery on as it came, answers what the receiver answered, and prints a line about it. */
async function forward(to: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const startedMs = performance.now();
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  const status = await send(to, request.headers, body);
  response.writeHead(typeof status === "number" ? status : 502).end();
  const { type, data } = JSON.parse(body.toString()) as { type: string; data: { resource?: { id: string } } };
  const about = data.resource?.id ?? "";
  const tookMs = Math.round(performance.now() - startedMs);
  const time = new Date().toTimeString().slice(0, 8);
  print([time, status, `${tookMs} ms`, type, about, request.headers["webhook-id"]].filter(Boolean).join("  "));
}

async function send(to: string, headers: IncomingHttpHeaders, body: Buffer): Promise<number | string> {
  const kept = FORWARDED.flatMap((name) => (typeof headers[name] === "string" ? [[name, headers[name]] as const] : []));
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  try {
    const init = { method: "POST", headers: Object.fromEntries(kept), body: new Uint8Array(body), signal } as const;
    const answer = await fetch(to, { ...init, redirect: "manual" });
    await answer.body?.cancel();
    return answer.status;
  } catch (error) {
    const { cause = error } = error as { cause?: unknown };
    return (cause as { code?: string }).code ?? (cause as Error).name;
  }
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const complain = (line: string) => process.stderr.write(`${line}\n`);

try {
  await program.parseAsync();
} catch (error) {
  complain((error as Error).message);
  process.exit(1);
}
