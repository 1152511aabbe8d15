import type { Rail } from "@intents/domain/rails/rail.ts";
import type * as z from "zod";
import { askForAll } from "../statuses.ts";
import {
  answerSignatureOf,
  type ExecuteReply,
  Funding,
  type FundReply,
  Order,
  PageQuery,
  type PageReply,
  type Problem,
  parseJson,
  Question,
  readText,
  type Secrets,
  SIGNATURE_HEADER,
  type StatusReply,
  secretBehind,
  signatureOf,
  TIMESTAMP_HEADER,
} from "./contract.ts";

/** How far a request's timestamp may be from our clock: enough for skew and travel, too short for a later replay. */
const FRESH_MS = 5 * 60_000;

type ServerOptions = Readonly<{ rail: Rail; secrets: Secrets; now: () => number }>;

/** Answers one method of a resource, whose name in the path is `name`. */
type Serve = (rail: Rail, asked: Readonly<{ name: string; query: URLSearchParams; body: string }>) => Promise<Response>;

/** The resources, by how their paths end. */
const resources: readonly Readonly<{ path: RegExp; methods: Readonly<Record<string, Serve>> }>[] = [
  // The name of no execution is `status`.
  { path: /\/payments\/status$/, methods: { POST: (rail, { body }) => answerStatuses(rail, body) } },
  {
    path: /\/payments\/(?<name>[^/]{1,200})$/,
    methods: {
      PUT: (rail, { name, body }) => execute(rail, name, body),
      GET: ({ status }, { name, query }) => answerStatus(status, name, query.get("tenantId")),
      DELETE: ({ cancel }, { name, query }) => answerStatus(cancel, name, query.get("tenantId")),
    },
  },
  { path: /\/payments$/, methods: { GET: (rail, { query }) => list(rail, query) } },
  { path: /\/fundings\/(?<name>[^/]{1,200})$/, methods: { PUT: (rail, { name, body }) => fund(rail, name, body) } },
];

/** Serves `rail` over docs/rail-api.yaml. */
export const serveRail =
  (options: ServerOptions) =>
  async (request: Request): Promise<Response> => {
    const body = await readText(request);
    const signature = request.headers.get(SIGNATURE_HEADER) ?? "";
    const secret = body === undefined ? undefined : signerOf(request, signature, body, options);
    const answer =
      body === undefined
        ? problem(413, "not_accepted", "the body is too large")
        : secret === undefined
          ? problem(401, "not_accepted", "the signature or its timestamp is not valid")
          : await answerOf(options.rail, request, body);
    return signed(answer, signature, secret ?? options.secrets[0]);
  };

async function answerOf(rail: Rail, { url, method }: Request, body: string): Promise<Response> {
  const { pathname, searchParams: query } = new URL(url);
  const resource = resources.find(({ path }) => path.test(pathname));
  const name = resource && nameIn(pathname, resource.path);
  if (resource === undefined || name === undefined) return problem(404, "not_accepted", "no such resource");
  const [, serve] = Object.entries(resource.methods).find(([served]) => served === method) ?? [];
  if (serve !== undefined) return serve(rail, { name, query, body });
  return problem(405, "not_accepted", `served are ${Object.keys(resource.methods).join(", ")}`);
}

/** An answer with its signature, by the secret of its request: who asked knows that one, whichever is the newest. */
async function signed(answer: Response, signature: string, secret: string): Promise<Response> {
  const { status, headers } = answer;
  const body = await answer.text();
  headers.set(SIGNATURE_HEADER, answerSignatureOf({ signature, status, body }, secret));
  return new Response(body, { status, headers });
}

async function execute(rail: Rail, executionId: string, body: string): Promise<Response> {
  const order = parseJson(Order, body);
  if (order === undefined) return problem(400, "not_accepted", "the body is not a payment order");
  const answer = await rail.execute(order, executionId);
  if (answer.kind === "unreachable" || answer.kind === "unknown") return unanswered(answer);
  const { tenantId } = order;
  return reply(200, { tenantId, executionId, answer } satisfies z.output<ReturnType<typeof ExecuteReply>>);
}

async function fund(rail: Rail, fundingReference: string, body: string): Promise<Response> {
  const order = parseJson(Funding, body);
  if (order === undefined) return problem(400, "not_accepted", "the body is not a deposit for a batch");
  const answer = await rail.fund({ ...order, fundingReference });
  if (answer.kind !== "funded" && answer.kind !== "refused") return unanswered(answer);
  const { tenantId } = order;
  return reply(200, { tenantId, fundingReference, answer } satisfies z.output<ReturnType<typeof FundReply>>);
}

async function answerStatus(
  ask: Rail["status"] | Rail["cancel"],
  executionId: string,
  tenantId: string | null,
): Promise<Response> {
  if (!tenantId) return problem(400, "not_accepted", "the query parameter tenantId is missing");
  const answer = await ask(tenantId, executionId);
  if (answer.kind === "unavailable") return problem(503, "unknown", answer.reason);
  const status = answer.kind === "not_found" ? 404 : 200;
  return reply(status, { tenantId, executionId, answer } satisfies z.output<ReturnType<typeof StatusReply>>);
}

async function answerStatuses(rail: Rail, body: string): Promise<Response> {
  const question = parseJson(Question, body);
  if (question === undefined) return problem(400, "not_accepted", "the body names no payments, or too many");
  const answers = await askForAll(rail, question.payments);
  // A payment that the rail cannot tell of now is left out.
  const payments = question.payments.flatMap((asked, index): z.output<ReturnType<typeof StatusReply>>[] => {
    const answer = answers[index];
    return answer === undefined || answer.kind === "unavailable" ? [] : [{ ...asked, answer }];
  });
  const failed = answers.find((answer) => answer.kind === "unavailable");
  if (payments.length === 0 && failed !== undefined) return problem(503, "unknown", failed.reason);
  return reply(200, { payments });
}

async function list(rail: Rail, query: URLSearchParams): Promise<Response> {
  const page = PageQuery().safeParse(Object.fromEntries(query)).data;
  if (page === undefined) return problem(400, "not_accepted", "sinceMs, limit or after cannot be read");
  const answer = await rail.list(page);
  if (answer.kind === "unavailable") return problem(503, "unknown", answer.reason);
  const { limit: _limit, ...asked } = page;
  return reply(200, { ...asked, answer } satisfies z.output<ReturnType<typeof PageReply>>);
}

/** The secret that a request is signed with, if it is fresh; undefined when it is none of the valid ones. */
function signerOf({ url, method, headers }: Request, signature: string, body: string, options: ServerOptions) {
  const { pathname, search } = new URL(url);
  const timestamp = headers.get(TIMESTAMP_HEADER) ?? "";
  const isFresh = /^\d{1,15}$/.test(timestamp) && Math.abs(options.now() - Number(timestamp)) <= FRESH_MS;
  const sign = (secret: string) => signatureOf({ timestamp, method, path: pathname + search, body }, secret);
  return isFresh ? secretBehind(signature, options.secrets, sign) : undefined;
}

/** The name in a path that `path` matches, empty where it has none; undefined when it cannot be decoded. */
function nameIn(pathname: string, path: RegExp): string | undefined {
  try {
    return decodeURIComponent(path.exec(pathname)?.groups?.["name"] ?? "");
  } catch {
    return undefined;
  }
}

const unanswered = ({ kind, reason }: Readonly<{ kind: "unreachable" | "unknown"; reason: string }>): Response =>
  kind === "unreachable" ? problem(503, "not_accepted", reason) : problem(504, "unknown", reason);

const problem = (status: number, outcome: Problem["outcome"], reason: string): Response =>
  Response.json({ outcome, reason } satisfies Problem, { status });

const reply = (status: number, body: object): Response =>
  Response.json(body, { status, headers: { "cache-control": "no-store" } });
