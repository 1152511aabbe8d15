import { reservedRoutes } from "@intents/contract/reserved.ts";
import { fail } from "@intents/domain/result.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { gate } from "./runtime/gate.ts";

const notImplemented = async () => fail({ kind: "not_implemented" } as const);

/** Paths that are rate-limited already, and whose bodies are not specified yet (Decision 008). */
export const handler = endpoint(
  "reserved",
  reservedRoutes,
  { logIn: notImplemented, signUp: notImplemented, chat: notImplemented, getConversation: notImplemented },
  { gate },
);
