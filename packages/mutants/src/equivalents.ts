// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the entries quote sources.

import type { Mutant } from "./mutants.ts";

/** A mutant that no test can tell from the program: its place, the code that it replaces, and the reason. */
export type Equivalent = Readonly<{
  file: string;
  code: string;
  original: string;
  replacement: string;
  reason: string;
}>;

/** Whether an entry is about a mutant. */
export const isAbout = (mutant: Mutant, { file, code, original, replacement }: Equivalent): boolean =>
  [mutant.file, mutant.code, mutant.original, mutant.replacement].join("\n") ===
  [file, code, original, replacement].join("\n");

export const equivalents: readonly Equivalent[] = [
  {
    file: "packages/domain/src/intents/payment-order.ts",
    code: "const payee = connectorPayeeId === undefined ? undefined : payees.get(connectorPayeeId);",
    original: "connectorPayeeId === undefined",
    replacement: "false",
    reason: "No payee has the id undefined, so that the map does not find one either; the check is for the compiler.",
  },
  {
    file: "packages/domain/src/batches/leg.ts",
    code: "const untilMs = Math.min(Math.max(windowEndMs ?? 0, nowMs + 1_000), lastMs);",
    original: "0",
    replacement: "1",
    reason: "Where the rail tells no end, what this line computes is not used.",
  },
  {
    file: "packages/domain/src/requirements/evaluate.ts",
    code: "{ ...nothing, permissions, rail, offer: describe(scenario) },",
    original: "{ ...nothing, permissions, rail, offer: describe(scenario) }",
    replacement: "{permissions, rail, offer: describe(scenario)}",
    reason: "A preview names no payee, party, document or amount, so that no check reads what is known of them.",
  },
  {
    file: "packages/domain/src/requirements/recipient-checks.ts",
    code: 'return [{ path, at, reason: "The tenant\'s leg is paid to the tenant itself", satisfiedBy, example }];',
    original: '{ path, at, reason: "The tenant\'s leg is paid to the tenant itself", satisfiedBy, example }',
    replacement: '{at, reason: "The tenant\'s leg is paid to the tenant itself", satisfiedBy, example}',
    reason: "The finding has a place and all its texts itself; its path would only give those that it lacks.",
  },
  {
    file: "packages/http/src/idempotency/key-record.ts",
    code: "const left = responseData === undefined ? { busyUntilMs: 0 } : { kept: JSON.stringify(responseData) };",
    original: "0",
    replacement: "1",
    reason: "Both times, in 1970, are over.",
  },
  {
    file: "packages/storage/src/table/transact.ts",
    code: "if (!(error instanceof TransactionCanceledException)) return [];",
    original: "!(error instanceof TransactionCanceledException)",
    replacement: "false",
    reason: "No other error of the store has reasons of cancellation.",
  },
  {
    file: "packages/storage/src/commissions/commission-requests.ts",
    code: '...(phase === "aborting" ? [{ label: "chunk", write: { Delete: { TableName: table.name, Key } } }] : []),',
    original: '"chunk"',
    replacement: '""',
    reason: "A label is told only of a condition that failed, and this deletion has none.",
  },
  {
    file: "packages/execution/src/submit/postpone.ts",
    code: 'const isForgotten = answer.kind === "not_asked" && answer.why === "forgotten";',
    original: 'answer.kind === "not_asked" && answer.why === "forgotten"',
    replacement: 'answer.why === "forgotten"',
    reason: "No other answer has a `why`; the check of its kind is for the compiler.",
  },
  {
    file: "packages/execution/src/submit/start-batch.ts",
    code: 'const countryCode = intent.instructions?.manualPayment?.countryCode ?? "";',
    original: '""',
    replacement: '"mutant"',
    reason: "A clean batch names its country.",
  },
  {
    file: "packages/execution/src/submit/commit.ts",
    code: "const stored = { executionId, claimedAtMs, body, ...(keyHash !== undefined && { keyHash }) };",
    original: "keyHash !== undefined && { keyHash }",
    replacement: "{ keyHash }",
    reason: "The store leaves out what is undefined; the check is for the compiler.",
  },
  {
    file: "packages/domain/src/intents/points.ts",
    code: "if (untilMs <= afterMs) return [];",
    original: "untilMs <= afterMs",
    replacement: "false",
    reason: "No point lies in an empty span; the check spares the work.",
  },
  {
    file: "packages/domain/src/intents/points.ts",
    code: "if (untilMs <= afterMs) return [];",
    original: "untilMs <= afterMs",
    replacement: "untilMs < afterMs",
    reason: "No point lies in an empty span; the check spares the work.",
  },
  {
    file: "packages/domain/src/intents/points.ts",
    code: "ms <= startMs ? 0 : Math.min(Math.floor(cadence.countAt((ms - startMs) / intervalMs) / factor), last),",
    original: "ms <= startMs",
    replacement: "ms < startMs",
    reason: "At the start no wait has passed: both count 0 points.",
  },
  {
    file: "packages/domain/src/intents/points.ts",
    code: "if (age <= closeFor) return age;",
    original: "age <= closeFor",
    replacement: "age < closeFor",
    reason: "Both sides of the edge give the same there.",
  },
  {
    file: "packages/domain/src/intents/points.ts",
    code: "if (age <= usualFor) return closeFor + (age - closeFor) / 2;",
    original: "age <= usualFor",
    replacement: "age < usualFor",
    reason: "Both sides of the edge give the same there.",
  },
  {
    file: "packages/domain/src/intents/points.ts",
    code: "if (age <= slowingFor) return usualCount + AGE_PART * Math.log(age / usualFor);",
    original: "age <= slowingFor",
    replacement: "age < slowingFor",
    reason: "Both sides of the edge give the same there.",
  },
  {
    file: "packages/domain/src/intents/points.ts",
    code: "if (count <= usualCount) return closeFor + (count - closeFor) * 2;",
    original: "count <= usualCount",
    replacement: "count < usualCount",
    reason: "Both sides of the edge give the same there.",
  },
  {
    file: "packages/domain/src/intents/points.ts",
    code: "if (count <= slowCount) return usualFor * Math.exp((count - usualCount) / AGE_PART);",
    original: "count <= slowCount",
    replacement: "count < slowCount",
    reason: "Both sides of the edge give the same there.",
  },
  {
    file: "packages/domain/src/previews/preview.ts",
    code: "currency === undefined || amount === undefined ? [] : [{ currency, amount }],",
    original: "currency === undefined || amount === undefined",
    replacement: "currency === undefined && amount === undefined",
    reason: "A leg has its payer's side whole or not at all.",
  },
  {
    file: "packages/domain/src/previews/preview.ts",
    code: "currency === undefined || amount === undefined ? [] : [{ currency, amount }],",
    original: "currency === undefined || amount === undefined",
    replacement: "currency === undefined",
    reason: "A leg has its payer's side whole or not at all.",
  },
  {
    file: "packages/domain/src/previews/preview.ts",
    code: "currency === undefined || amount === undefined ? [] : [{ currency, amount }],",
    original: "currency === undefined || amount === undefined",
    replacement: "amount === undefined",
    reason: "A leg has its payer's side whole or not at all.",
  },
  {
    file: "packages/domain/src/previews/preview.ts",
    code: "return legs.map((leg) => ({ ...leg, splitRole: roles.get(leg.order) ?? bookedAs({}) }));",
    original: "roles.get(leg.order) ?? bookedAs({})",
    replacement: "roles.get(leg.order)",
    reason: "Every leg is a recipient's; the default is for the compiler.",
  },
  {
    file: "packages/domain/src/previews/preview.ts",
    code: 'const payments = planBatchLegs(intent, found.rule, work, payees, "", () => 0).map(({ payment }) => payment);',
    original: '""',
    replacement: '"mutant"',
    reason: "Ids of executions are not stated.",
  },
  {
    file: "packages/domain/src/previews/preview.ts",
    code: 'const payments = planBatchLegs(intent, found.rule, work, payees, "", () => 0).map(({ payment }) => payment);',
    original: "0",
    replacement: "undefined",
    reason: "Ids of payments are not stated.",
  },
  {
    file: "packages/domain/src/previews/preview.ts",
    code: 'const payments = planBatchLegs(intent, found.rule, work, payees, "", () => 0).map(({ payment }) => payment);',
    original: "0",
    replacement: "1",
    reason: "Ids of payments are not stated.",
  },
  {
    file: "packages/domain/src/previews/preview.ts",
    code: 'const { settlementMethod = "", settlementChannel = "" } = payments[0] ?? {};',
    original: '""',
    replacement: '"mutant"',
    reason: "A batch has a recipient, and so a payment; the default is for the compiler.",
  },
  {
    file: "packages/domain/src/previews/preview.ts",
    code: 'const { settlementMethod = "", settlementChannel = "" } = payments[0] ?? {};',
    original: "payments[0] ?? {}",
    replacement: "payments[0]",
    reason: "A batch has a recipient, and so a payment; the default is for the compiler.",
  },
  {
    file: "packages/domain/src/previews/preview.ts",
    code: 'variant === undefined || leg.payeeCurrency === payerCurrency ? { fxRate: "1", spread: "0" } : variant;',
    original: "variant === undefined || leg.payeeCurrency === payerCurrency",
    replacement: "leg.payeeCurrency === payerCurrency",
    reason: "A leg that is converted has a variant; the check is for the compiler.",
  },
  {
    file: "packages/domain/src/previews/preview.ts",
    code: ".toSorted((left, right) => (left.currency < right.currency ? -1 : 1));",
    original: "left.currency < right.currency",
    replacement: "left.currency <= right.currency",
    reason: "No two sums have one currency.",
  },
  {
    file: "packages/domain/src/previews/preview.ts",
    code: ".toSorted((left, right) => (left.currency < right.currency ? -1 : 1));",
    original: "1",
    replacement: "2",
    reason: "Only the sign counts.",
  },
  {
    file: "packages/domain/src/previews/preview.ts",
    code: "? Object.fromEntries(Object.entries(node).toSorted(([left], [right]) => (left < right ? -1 : 1)))",
    original: "left < right",
    replacement: "left <= right",
    reason: "No two fields have one name.",
  },
  {
    file: "packages/domain/src/previews/preview.ts",
    code: "? Object.fromEntries(Object.entries(node).toSorted(([left], [right]) => (left < right ? -1 : 1)))",
    original: "1",
    replacement: "2",
    reason: "Only the sign counts.",
  },
  {
    file: "packages/domain/src/previews/preview.ts",
    code: 'typeof node === "object" && node !== null && !Array.isArray(node)',
    original: 'typeof node === "object" && node !== null',
    replacement: 'typeof node === "object"',
    reason: "A preview holds no null; the check is for the compiler.",
  },
  {
    file: "packages/storage/src/events/cursor.ts",
    code: "const PLACE = /^(\\d{15}(?:#[\\w#-]+)?) (\\d{1,9})$/;",
    original: "/^(\\d{15}(?:#[\\w#-]+)?) (\\d{1,9})$/",
    replacement: "/^(\\d{15}(?:#[\\w#-]+)?) (\\d{1,9})/",
    reason: "A cursor with more in it than its place has another hash.",
  },
  {
    file: "packages/storage/src/events/cursor.ts",
    code: "const PLACE = /^(\\d{15}(?:#[\\w#-]+)?) (\\d{1,9})$/;",
    original: "/^(\\d{15}(?:#[\\w#-]+)?) (\\d{1,9})$/",
    replacement: "/(\\d{15}(?:#[\\w#-]+)?) (\\d{1,9})$/",
    reason: "A cursor with more in it than its place has another hash.",
  },
];
