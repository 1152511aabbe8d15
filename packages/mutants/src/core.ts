/** Tests that are left out because what they prove takes them minutes, and cheaper ones must prove it, too. */
export const tooLong: Readonly<Record<string, string>> = {
  "execution/simulation": "thousands of random episodes, for what no other test thought of",
  "execution/crash-matrix":
    "a worker dies at each of its calls; submit, recovery and poll tests say what each write is for",
  "execution/bulk-crash-matrix": "the same for batches",
  "execution/stopped-batch-crash": "the same for batches that an operator stops",
  "execution/payer-session-crash": "the same for payers of links",
  "execution/dispatch-crash-matrix": "the same for the dispatcher",
  "storage/list-laws": "random lists against an oracle; no list is part of the core",
  "storage/list-lag": "lists while their index lags",
  "storage/list-plan": "how lists are read",
  "storage/lists": "lists",
  "storage/bookmarks": "where long lists go on",
};

/** Where money is decided, booked and moved: `pnpm mutants` without a path takes its sample from these files. */
export const core: Readonly<Record<string, readonly string[]>> = {
  domain: [
    ...["money", "exchange-rates", "pricing", "leg-amounts", "stated-amounts", "fx-rate", "payment-order"],
    ...["ledger", "ledger-verify", "bulk", "intent-states", "timer", "split-role", "rail-match"],
    ...["requirements", "manual-payment-checks", "recipient-checks", "batch-checks", "payment-link-submission"],
  ],
  execution: [
    ...["submit", "plan", "facts", "finish", "commit", "release", "publish", "create", "compile", "ask-rail"],
    ...["advance", "poll", "postpone", "close-link", "bulk-start", "bulk", "operate", "operate-batch"],
    ...["payer-session", "payer-session-plan", "payer-uploads", "commission-requests", "late-words", "match-rails"],
  ],
  storage: [
    ...["transact", "submissions", "intents", "documents", "timers", "reissues", "payment-links", "bulk-legs"],
    ...["commission-requests", "commissions", "counters", "ledger", "audit", "records", "windows"],
  ],
  http: ["idempotency", "key-record", "gate", "rate-limiter", "serve", "request-body"],
};

/** How many mutants are tried, and what picks them: the same ones each time. */
export const SAMPLE = 400;
export const SEED = "money";
