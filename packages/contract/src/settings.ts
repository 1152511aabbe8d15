import * as z from "zod";

const seconds = (fallback: number) => z.coerce.number().nonnegative().default(fallback);
const name = (fallback: string) => z.string().min(1).default(fallback);

/** The environment of every function, parsed once. Durations may be fractions. */
const Settings = z.object({
  STAGE: z.enum(["local", "sandbox", "production"]).default("local"),
  TABLE_NAME: name("payment-intents"),
  /** Counts of rate limits, and nothing that would be missed. */
  WINDOW_TABLE_NAME: name("windows"),
  RAIL_TABLE_NAME: name("sandbox-rail"),
  BUCKET_NAME: name("payment-intent-documents"),
  QUEUE_URL: name("http://127.0.0.1/000000000000/advance-intents"),
  /** The address of this API as callers see it: absolute URLs are made from it, never from a Host header (H49). */
  BASE_URL: z.url().default("http://127.0.0.1:3000"),
  PAYER_APP_URL: z.url().default("http://127.0.0.1:3000"),
  QUOTE_TTL_SECONDS: seconds(1800),
  DRAFT_TTL_HOURS: z.coerce.number().nonnegative().default(336),
  POLL_INTERVAL_SECONDS: seconds(30),
  RECOVERY_AFTER_SECONDS: seconds(1800),
  /** How long a claim keeps other workers away; longer than a function may run (H5). */
  SUBMIT_LEASE_SECONDS: seconds(60),
  /** How far ahead of its due time a timer may be sent, with a delivery delay (H22). */
  DISPATCH_AHEAD_SECONDS: seconds(70),
  TIMER_SHARDS: z.coerce.number().int().min(1).max(256).default(64),
  /** Requests per second and key; the specification's is 200, load runs need more. */
  RATE_LIMIT_PER_SECOND: z.coerce.number().int().min(1).default(200),
  /** How long a request waits for its count before it passes uncounted (H54). */
  RATE_LIMIT_BUDGET_MS: z.coerce.number().int().min(1).default(50),
  CONNECTOR: z.enum(["sandbox", "http"]).default("sandbox"),
  /** The rail's address and shared signing secret, for `CONNECTOR=http`. */
  CONNECTOR_URL: z.url().optional(),
  CONNECTOR_SECRET: z.string().min(16).optional(),
  SANDBOX_SETTLE_SECONDS: seconds(60),
  SANDBOX_DEDUP_SECONDS: seconds(300),
});
export type Settings = z.infer<typeof Settings>;

/** The settings in `env`, or one line per setting that is wrong. */
export function parseSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const parsed = Settings.safeParse(env);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new InvalidSettings(problems);
}

export class InvalidSettings extends Error {
  constructor(problems: readonly string[]) {
    super(`Invalid settings: ${problems.join("; ")}`);
  }
}
