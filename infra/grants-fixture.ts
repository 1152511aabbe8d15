import { type Call, isLike, isMeant, type Statement } from "./judge-fixture.ts";

/** One grant of a policy: an action, its target, and a pattern of keys, if the policy asks for keys. */
export type Grant = Readonly<{ action: string; on: string; key?: string; isPart?: true }>;

/** The grants of a policy. */
export const grantsIn = (statements: readonly Statement[]): Grant[] => statements.flatMap(toGrants);

/** The grants of a policy that allow a call. */
export const grantsUsed = (statements: readonly Statement[], call: Call): Grant[] =>
  statements
    .filter((statement) => isMeant(statement, call))
    .flatMap(toGrants)
    .filter(({ action, on, key }) => action === call.action && isLike(call.on, on) && isAt(call, key));

/** Whether a call names such a key. Keys of counters hold the names of other kinds, which are not meant. */
function isAt({ leadingKeys = [], prefix }: Call, pattern: string | undefined): boolean {
  if (pattern === undefined) return true;
  const kind = kindOf(pattern);
  return [...leadingKeys, ...(prefix === undefined ? [] : [prefix])].some(
    (key) => isLike(key, pattern) && kindOf(key) === kind,
  );
}

/** The kind of record of a key or its pattern: `INTENT` of `T#*#INTENT#*`. */
const kindOf = (key: string): string | undefined => (key.startsWith("T#") ? key.split("#")[2] : undefined);

/** How a grant is called: its action, where, and at which keys; the reading of records by a key is one, however it is done. */
export function nameOf({ action, on, key, isPart }: Grant): string {
  const isRead = /^dynamodb:(GetItem|BatchGetItem|Query|ConditionCheckItem)$/.test(action) && !on.includes("/index/");
  const does = isRead ? "read" : toVerb(action);
  const place = on.replace(/^main\/index\//, "").replace(/^main$/, "");
  return [does, place, key, isPart && "(some attributes)"].filter(Boolean).join(" ");
}

/** `put` of `dynamodb:PutItem`, `sendMessage` of `sqs:SendMessage`. */
const toVerb = (action: string): string =>
  action
    .replace(/^\w+:/, "")
    .replace(/(?<=.)(Item|Object)$/, "")
    .replace(/^./, (first) => first.toLowerCase());

function toGrants({ effect, actions, on, condition }: Statement): Grant[] {
  if (effect !== "Allow") return [];
  const keys = condition["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? condition["StringLike"]?.["s3:prefix"];
  const part = condition["ForAllValues:StringEquals"]?.["dynamodb:Attributes"] !== undefined && {
    isPart: true as const,
  };
  return actions.flatMap((action) =>
    on.flatMap((where) =>
      keys === undefined ? [{ action, on: where, ...part }] : keys.map((key) => ({ action, on: where, key, ...part })),
    ),
  );
}
