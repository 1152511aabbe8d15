/** Tests that are left out because their proofs take minutes; cheaper tests must prove the same. */
export const tooLong: Readonly<Record<string, string>> = {
  "storage/src/lists/laws": "random lists against an oracle; no list is part of the core",
  "storage/src/lists/lag": "lists while their index lags",
  "storage/src/lists/plan": "how lists are read",
  "storage/src/lists/lists": "lists",
  "storage/src/lists/cursor": "pages of lists",
};

/** The files that decide, book and move money: `pnpm mutants` without a path takes its sample from them. */
export const core: Readonly<Record<string, readonly string[]>> = {
  domain: [
    ...["amounts/{money,exchange-rates}", "quotes/{pricing,leg-amounts,stated-amounts,fx-rate}", "ledger/*"],
    ...["intents/{states,timer,claim,payment-order,points,watch}", "batches/{batch,leg}", "links/link-payment"],
    ...["requirements/{evaluate,{amount,quote,recipient,batch}-checks}", "scenarios/split-role"],
    ...["events/*", "previews/*", "privacy/{subject,erasure}"],
  ],
  execution: [
    "{advance,change}",
    "{submit,settle,asking,batches,links,operations,drafts,commissions,rails,subjects}/*",
  ],
  storage: ["table/{transact,counters,records,windows}", "{intents,audit,commissions,events}/*", "parties/documents"],
  http: ["serve", "idempotency/*", "limits/{gate,rate-limiter}", "request/body"],
};

/** Further packages that judge a package's mutants: their tests run its code on the real embedded store. */
export const alsoJudgedBy: Readonly<Record<string, readonly string[]>> = { storage: ["execution"] };

/** The number of mutants that are tried, and the seed that picks them: the same ones each time. */
export const SAMPLE = 400;
export const SEED = "money";
