/** The text of an alarm, for somebody whom it wakes: its meaning, the first place to look, and the next step. */
export type AlarmText = Readonly<{ means: string; look: string; act: string }>;

/**
 * The texts of every alarm, by its name. A name that ends in `-…` is of a family: one alarm for each function, or for each
 * index. CloudWatch sends them with the alarm, and the table of docs/operate.md is made of them.
 */
export const alarmTexts = {
  RequiresRecovery: {
    means: "Payments are half an hour past their expected end, and their rail has reported no end",
    look: "`operator todo` names each payment, and of a batch the recipients; `operator find <payment>` shows one",
    act: "ask the rail, then `operator intents resolve <payment> --tenant <tenant> --as <status> --reason <why>`",
  },
  PollsFailing: {
    means: "A rail failed ten questions in a row: it answers about no payment",
    look: "`operator queue show`: failures in a row of each rail, and until when it is left alone",
    act: "ask the rail why it does not answer; polling goes on by itself, and nothing is lost",
  },
  SweepsBehind: {
    means: "Questions to a rail are more than five minutes late, for a quarter of an hour",
    look: "`operator queue show`: seconds behind by rail, and messages that wait",
    act: "a rail that fails: ask it why; none fails: raise `questionsMax` and deploy",
  },
  Unanswered: {
    means: "A rail's answers have left out or garbled a payment for an hour",
    look: "the log of advance-intent, outcome `unanswered`: tenant, payment and execution",
    act: "ask the rail about that payment; while it is `executing`, `operator intents lose-track <payment> --tenant <tenant> --reason <why>` first, then `operator intents resolve <payment> --tenant <tenant> --as <status> --reason <why>`",
  },
  FailedAlone: {
    means: "A rail answers about others, and fails whenever it is asked about one payment",
    look: "`operator todo`: the payment, and since when; `operator find <payment>` shows it",
    act: "ask the rail about that payment; all others are asked about as ever",
  },
  RailMissing: {
    means: "A payment belongs to a rail, or to an address of it, that the settings do not name",
    look: "the log of advance-intent, outcome `rail_missing`; `operator find <payment>`, then the payment's timeline: the rail that took it",
    act: "deploy with that address in `connectorFormerUrls`; until then nobody asks about the payment",
  },
  RailUnswept: {
    means: "A rail holds payments, and the settings do not name it",
    look: "the log of dispatch-due, outcome `rail_missing`: the rail's name and address",
    act: "deploy with that address in `connectorFormerUrls`; until then nobody asks about its payments",
  },
  DeadLetters: {
    means: "Messages failed five times, and wait for a person",
    look: "`operator queue show` has samples; the log of advance-intent, “message failed”, has the reason",
    act: "mend the cause, then `operator queue redrive --reason <why>`",
  },
  Heartbeat: {
    means: "Five minutes brought no dispatch: no timer is sent and no rail is asked",
    look: "`operator queue show`; the rule of EventBridge that calls dispatch-due every minute, and its log",
    act: "let the rule run again: nothing is lost, and the first tick catches up",
  },
  DailyHeartbeat: {
    means: "30 hours brought no daily run: books are not matched, and expired documents stay",
    look: "the rule of EventBridge that calls daily at 3:30 UTC, and the log of daily",
    act: "let the rule run again: the next run does what was left",
  },
  OverdueTimers: {
    means: "Timers were not sent two minutes after they were due: drafts expire and claims recover late",
    look: "`operator queue show`: overdue timers, and messages that wait",
    act: "messages wait: give advance-intent more instances ([`questionsMax`](deploy.md#how-it-scales-past-one-regions-defaults)); none waits: find the tick that fails in the log of dispatch-due",
  },
  OldestMessage: {
    means: "A message has waited for ten minutes: workers do not keep up",
    look: "`operator queue show`: messages, lanes, timers that are due",
    act: "a slow rail: [a rail does not answer](runbooks/rail-outage.md); else give advance-intent more instances ([`questionsMax`](deploy.md#how-it-scales-past-one-regions-defaults))",
  },
  Unattended: {
    means: "A check found timers, payments, questions or webhooks that nobody looked after",
    look: "`operator todo`; the logs of dispatch-due (hourly) and daily, outcome `unattended`",
    act: "the check has mended everything, except a rail without settings: configure that rail again; then find the cause, such as lowered settings or a wrong clock; of webhooks, the log of deliver-webhooks",
  },
  "Errors-daily": {
    means: "The daily run failed, or found that books and rails disagree",
    look: "the log of daily: the job, and each difference; `operator ledger match` lists them anew",
    act: "ask the rail about each payment; `operator intents resolve <payment> --tenant <tenant> --as <status> --reason <why>` settles one in `requires_recovery`; one that is `executing` needs `intents lose-track` first",
  },
  HistoryChanged: {
    means: "Somebody changed or removed an entry of the audit or the ledger: nothing of ours does",
    look: "the log of copy-history: which entry; `operator ledger verify` compares all with their copies",
    act: "keep the copies, find the author in CloudTrail, and treat it as [a breach](security.md)",
  },
  HistoryUncopied: {
    means: "The history bucket refused an entry of audit or ledger, while it took others",
    look: "the log of copy-history: which entry, and why",
    act: "mend the cause, then `operator ledger copy --reason <why>`",
  },
  HistoryBehind: {
    means: "The oldest entry without a copy is an hour old; after a day it stays without one",
    look: "the log of copy-history",
    act: "mend it within a day, else run `operator ledger copy --reason <why>` afterwards",
  },
  ServerErrors: {
    means: "More than five answers in five minutes were 5xx",
    look: "the logs of functions, level ERROR, and alarms `Errors-…`; `operator queue show`: a rail that fails",
    act: "after a deployment [roll back](runbooks/rollback.md); a rail: [a rail does not answer](runbooks/rail-outage.md)",
  },
  Latency: {
    means: "One request in a hundred took more than three seconds, for a quarter of an hour",
    look: "the dashboard: throttles, faults; `operator queue show`: a submit waits for its rail",
    act: "a rail: [a rail does not answer](runbooks/rail-outage.md); throttles: raise the quota that is named",
  },
  "Errors-…": {
    means: "Runs of that function ended with a fault, a timeout or without memory",
    look: "the function's log, level ERROR",
    act: "after a deployment [roll back](runbooks/rollback.md); what a message was about comes back by itself",
  },
  "Faults-…": {
    means: "That function, which can pay, answered a fault or handed a message back",
    look: "the function's log, level ERROR",
    act: "after a deployment [roll back](runbooks/rollback.md), which a canary does by itself",
  },
  "Throttles-…": {
    means: "Lambda refused calls of that function: all instances that it may have are busy",
    look: "Lambda's concurrency in the account, and `reservedConcurrency` of the deployment",
    act: "ask AWS for a higher quota, or reserve more; messages that were refused come back",
  },
  "ReadThrottleEvents-…": {
    means: "DynamoDB refused reads of the main table or of that index",
    look: "the dashboard: which index, and since when; the largest tenant's traffic",
    act: "it retries by itself; when it lasts, see [how it scales](deploy.md#how-it-scales-past-one-regions-defaults)",
  },
  "WriteThrottleEvents-…": {
    means: "DynamoDB refused writes of the main table or of that index, which delays commits",
    look: "the dashboard: which index, and since when; the largest tenant's traffic",
    act: "it retries by itself; when it lasts, see [how it scales](deploy.md#how-it-scales-past-one-regions-defaults)",
  },
  WrongKeys: {
    means: "More than 200 answers of 401 in five minutes: somebody tries keys",
    look: "the API's log by `sourceIp` and `resourcePath`: one source, or many",
    act: "block the source in the firewall; a key that works is never shown by this: no key needs to change",
  },
  Forbidden: {
    means: "More than 200 answers of 403 in five minutes: a key tries what it may not, or a revoked one goes on",
    look: "the API's log by `clientId` and `resourcePath`",
    act: "ask the tenant; a key in wrong hands: `operator keys revoke <client id> --reason <why>`",
  },
  RateLimited: {
    means: "More than 2,000 answers of 429 in five minutes: somebody asks far too often",
    look: "the API's log by `clientId`, `sourceIp` and `resourcePath`",
    act: "ask the tenant to wait as `Retry-After` says; a stranger: block the source in the firewall",
  },
  AuthorizerFaults: {
    means: "Keys could not be checked: callers get 500 whatever their key",
    look: "the log of authorizer, level ERROR; the dashboard: throttles of the main table",
    act: "after a deployment [roll back](runbooks/rollback.md); AWS's own fault: wait, callers try again",
  },
  Blocked: {
    means: "The API's firewall blocked more than 1,000 requests in five minutes",
    look: "sampled requests of that web ACL in the console of AWS WAF: rule, source, path",
    act: "an attack: nothing, it is blocked; a tenant's traffic: raise the rule's limit",
  },
  BlockedAtEdge: {
    means: "CloudFront's firewall blocked more than 1,000 requests to payers' pages in five minutes",
    look: "sampled requests of that web ACL, in us-east-1: rule, source, path",
    act: "an attack: nothing, it is blocked; payers behind one address: raise the rule's limit",
  },
} as const satisfies Readonly<Record<string, AlarmText>>;

export type AlarmName = keyof typeof alarmTexts;

/** The text of an alarm: its own, or that of its family. */
export function alarmTextOf(id: string): AlarmText {
  const name = Object.keys(alarmTexts).find((known) => known === id || known === `${id.split("-")[0]}-…`);
  if (name === undefined) throw new Error(`The alarm ${id} has no text in alarm-texts.ts`);
  return alarmTexts[name as AlarmName];
}
