/** Tests that are left out because their proofs take minutes; cheaper tests must prove the same. */
export const tooLong: Readonly<Record<string, string>> = {
  "lists/laws": "random lists against an oracle; no list is part of the core",
  "lists/lag": "lists while their index lags",
  "lists/plan": "how lists are read",
  "lists/lists": "lists",
  "lists/bookmarks": "where long lists go on",
};

/** The files that decide, book and move money: `pnpm mutants` without a path takes its sample from them. */
export const core: Readonly<Record<string, readonly string[]>> = {
  domain: [
    ...[
      "amounts/money",
      "amounts/exchange-rates",
      "quotes/pricing",
      "quotes/leg-amounts",
      "quotes/stated-amounts",
      "quotes/fx-rate",
      "intents/payment-order",
    ],
    ...[
      "ledger/ledger",
      "ledger/verify",
      "batches/batch",
      "intents/states",
      "intents/timer",
      "scenarios/split-role",
      "ledger/rail-match",
    ],
    ...[
      "requirements/evaluate",
      "requirements/quote-checks",
      "requirements/recipient-checks",
      "requirements/batch-checks",
      "links/link-payment",
    ],
  ],
  execution: [
    ...[
      "submit/submit",
      "submit/plan",
      "submit/facts",
      "submit/finish",
      "submit/commit",
      "submit/release",
      "submit/publish",
      "drafts/create",
      "drafts/compile",
      "rails/ask",
    ],
    ...[
      "advance",
      "settle/poll",
      "submit/postpone",
      "settle/close-link",
      "submit/start-batch",
      "batches/advance",
      "operations/payment",
      "operations/batch",
    ],
    ...[
      "links/session",
      "links/session-plan",
      "documents/payer-uploads",
      "commissions/requests",
      "rails/late-words",
      "rails/match",
    ],
  ],
  storage: [
    ...[
      "table/transact",
      "intents/submissions",
      "intents/intents",
      "parties/documents",
      "intents/timers",
      "intents/reissues",
      "intents/payment-links",
      "intents/batch-legs",
    ],
    ...[
      "commissions/commission-requests",
      "commissions/commissions",
      "table/counters",
      "intents/ledger",
      "audit/intents",
      "table/records",
      "table/windows",
    ],
  ],
  http: [
    "idempotency/idempotency",
    "idempotency/key-record",
    "limits/gate",
    "limits/rate-limiter",
    "serve",
    "request/body",
  ],
};

/** The number of mutants that are tried, and the seed that picks them: the same ones each time. */
export const SAMPLE = 400;
export const SEED = "money";
