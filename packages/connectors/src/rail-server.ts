import { timingSafeEqual } from "node:crypto";
import type { Connector } from "@intents/domain/connector.ts";
import {
  type ExecuteVerdict,
  Order,
  type Problem,
  parseJson,
  readText,
  SIGNATURE_HEADER,
  type StatusVerdict,
  signatureOf,
  TIMESTAMP_HEADER,
} from "./rail-contract.ts";

/** How far a request's timestamp may be from our clock: for skew and the way, too short to keep requests for later. */
const FRESH_MS = 5 * 60_000;

type ServerOptions = Readonly<{ connector: Connector; secret: string; now: () => number }>;

/** Serves `connector` over docs/rail-api.yaml, wherever a path ends in `/payments/{executionId}`. */
export const serveRail =
  (options: ServerOptions) =>
  async (request: Request): Promise<Response> => {
    const { pathname, search, searchParams } = new URL(request.url);
    const body = await readText(request);
    if (body === undefined) return problem(413, "not_accepted", "the body is too large");
    if (!isSigned(request, pathname + search, body, options)) {
      return problem(401, "not_accepted", "the signature or its timestamp is not valid");
    }
    const executionId = executionIdIn(pathname);
    if (executionId === undefined) return problem(404, "not_accepted", "no such resource");
    if (request.method === "PUT") return execute(options.connector, executionId, body);
    const { status, cancel } = options.connector;
    if (request.method === "GET") return tellStanding(status, executionId, searchParams.get("tenantId"));
    if (request.method === "DELETE") return tellStanding(cancel, executionId, searchParams.get("tenantId"));
    return problem(405, "not_accepted", "only GET, PUT and DELETE are served");
  };

async function execute(connector: Connector, executionId: string, body: string): Promise<Response> {
  const order = parseJson(Order, body);
  if (order === undefined) return problem(400, "not_accepted", "the body is not a payment order");
  const answer = await connector.execute(order, executionId);
  if (answer.kind === "unreachable") return problem(503, "not_accepted", answer.reason);
  if (answer.kind === "unknown") return problem(504, "unknown", answer.reason);
  return reply(200, order.tenantId, executionId, answer);
}

async function tellStanding(
  ask: Connector["status"] | Connector["cancel"],
  executionId: string,
  tenantId: string | null,
): Promise<Response> {
  if (!tenantId) return problem(400, "not_accepted", "the query parameter tenantId is missing");
  const answer = await ask(tenantId, executionId);
  if (answer.kind === "unavailable") return problem(503, "unknown", answer.reason);
  return reply(answer.kind === "not_found" ? 404 : 200, tenantId, executionId, answer);
}

function isSigned(request: Request, path: string, body: string, { secret, now }: ServerOptions): boolean {
  const timestamp = request.headers.get(TIMESTAMP_HEADER) ?? "";
  const isFresh = /^\d{1,15}$/.test(timestamp) && Math.abs(now() - Number(timestamp)) <= FRESH_MS;
  const expected = Buffer.from(signatureOf({ timestamp, method: request.method, path, body }, secret));
  const given = Buffer.from(request.headers.get(SIGNATURE_HEADER) ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected) && isFresh;
}

function executionIdIn(pathname: string): string | undefined {
  const [, encoded = ""] = /\/payments\/([^/]{1,200})$/.exec(pathname) ?? [];
  try {
    return decodeURIComponent(encoded) || undefined;
  } catch {
    return undefined;
  }
}

const problem = (status: number, outcome: Problem["outcome"], reason: string): Response =>
  Response.json({ outcome, reason } satisfies Problem, { status });

const reply = (
  status: number,
  tenantId: string,
  executionId: string,
  answer: ExecuteVerdict | StatusVerdict,
): Response => Response.json({ tenantId, executionId, answer }, { status, headers: { "cache-control": "no-store" } });
