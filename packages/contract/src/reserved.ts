import { defineRoutes } from "./route.ts";

const unspecified = {
  group: "reserved",
  auth: "optional",
  description: "Nothing is specified but the path and its limit.",
  form: "any",
  answers: { status: 501 },
  errors: ["not_implemented", "rate_limited"],
} as const;

/** The paths of SPEC, "Other paths mentioned", of which the specification shows nothing but rate limits. */
export const reservedRoutes = defineRoutes({
  logIn: { on: "POST /auth/login", summary: "Reserved for signing in", limit: "login", ...unspecified },
  signUp: { on: "POST /auth/signup", summary: "Reserved for signing up", limit: "signup", ...unspecified },
  chat: { on: "POST /chat", summary: "Reserved for chat", limit: "chat", ...unspecified },
  getConversation: {
    on: "GET /chat/{conversationId}",
    summary: "Reserved for chat",

    limit: "conversation",
    ...unspecified,
  },
});
