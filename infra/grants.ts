import { type KeyKind, type KeyName, keyKinds, scannedAttributes } from "@intents/storage/table/key-kinds.ts";
import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { FunctionUse, Resource } from "./function-uses.ts";

/** A store that functions may get access to, with the variable that tells them its name; or several stores by one. */
export type Store = Readonly<{ variable: string; value: string; arn: string; others?: readonly string[] }>;
export type Stores = Readonly<Partial<Record<Resource, Store>>>;

const kindsOf = (names: readonly KeyName[]): KeyKind[] => names.flatMap((name) => keyKinds[name]);
const allKinds = kindsOf(Object.keys(keyKinds) as KeyName[]);

/** The objects of a bucket that any function may have permissions for. */
export const objectPatternsOf = (bucket: "documents" | "history"): string[] => [
  ...new Set(allKinds.flatMap(({ at, like }) => (at === bucket ? like : []))),
];

/** A scan has no keys that IAM could look at: it may read the attributes that hold no secret. */
const KEYLESS = "dynamodb:Scan";
export const scanning = (arn: string): PolicyStatement =>
  new PolicyStatement({
    actions: [KEYLESS],
    resources: [arn],
    conditions: {
      StringEquals: { "dynamodb:Select": "SPECIFIC_ATTRIBUTES" },
      "ForAllValues:StringEquals": { [ATTRIBUTES]: scannedAttributes },
      Null: NAMES_ATTRIBUTES,
    },
  });

const LEADING = "dynamodb:LeadingKeys";
const ATTRIBUTES = "dynamodb:Attributes";
// A condition on all values of a request is met by one that has none, unless it is refused.
const NAMES_KEYS = { [LEADING]: "false" };
const NAMES_ATTRIBUTES = { [ATTRIBUTES]: "false" };

/**
 * The statements and variables for a function's uses: what its code does, and only at the keys that its code makes
 * (Decision 023). It does without stores that the stage does not have.
 */
export function grantsOf(use: FunctionUse, stores: Stores) {
  const statements: PolicyStatement[] = [];
  const variables: Record<string, string> = {};
  for (const [target, actions] of use.grants) {
    const [resource = "", ...index] = target.split("/");
    const store = stores[resource as Resource];
    if (store === undefined) continue;
    variables[store.variable] = store.value;
    const arn = [store.arn, ...index].join("/");
    const hasKinds = allKinds.some(({ at }) => at === target);
    const free = hasKinds ? [] : [...actions];
    if (free.length > 0)
      statements.push(new PolicyStatement({ actions: free, resources: [arn, ...(store.others ?? [])] }));
    const kinds = kindsOf(use.keys).filter(({ at }) => at === target);
    if (hasKinds && actions.includes(KEYLESS)) statements.push(scanning(arn));
    const bound = actions.filter((action) => !free.includes(action) && action !== KEYLESS);
    for (const { on, may } of groupsOf(bound, kinds)) statements.push(statementOf(arn, on, may));
  }
  return { statements: [...statements, ...keepHistory(stores)], variables };
}

/** Patterns of keys, without the keys like `unlike`, and limited to the attributes of `only`. */
type Patterns = Pick<KeyKind, "at" | "like" | "unlike" | "only">;
type Group = Readonly<{ on: Patterns; may: readonly string[] }>;

/** The actions by the patterns for which they are allowed, those for the same patterns together. */
function groupsOf(actions: readonly string[], kinds: readonly KeyKind[]): Group[] {
  const allowed = actions.flatMap((action) =>
    [...Map.groupBy(kinds, ({ unlike, only }) => JSON.stringify([unlike, only]))].flatMap(([, [first, ...others]]) => {
      if (first === undefined) return [];
      const like = [first, ...others].flatMap((kind) => (kind.may.includes(action) ? kind.like : []));
      return like.length === 0 ? [] : [{ action, on: { ...patternsOf(first), like: [...new Set(like)].toSorted() } }];
    }),
  );
  const groups = Map.groupBy(allowed, ({ on }) => JSON.stringify(on));
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ on }) => ({ on, may: group.map(({ action }) => action) })),
  );
}

const patternsOf = ({ at, unlike, only }: KeyKind) => ({
  at,
  ...(unlike !== undefined && { unlike }),
  ...(only !== undefined && { only }),
});

function statementOf(arn: string, { at, like, unlike, only }: Patterns, may: readonly string[]): PolicyStatement {
  const actions = [...may];
  if (at === "documents" || at === "history")
    return new PolicyStatement({ actions, resources: like.map((name) => `${arn}/${name}`) });
  if (at === "bucket")
    return new PolicyStatement({ actions, resources: [arn], conditions: { StringLike: { "s3:prefix": like } } });
  const conditions = {
    ...{ "ForAllValues:StringLike": { [LEADING]: like }, Null: NAMES_KEYS },
    ...(unlike !== undefined && { "ForAllValues:StringNotLike": { [LEADING]: unlike } }),
    ...(only !== undefined && {
      "ForAllValues:StringEquals": { [ATTRIBUTES]: only },
      Null: { ...NAMES_KEYS, ...NAMES_ATTRIBUTES },
    }),
  };
  return new PolicyStatement({ actions, resources: [arn], conditions });
}

/** Nobody may change the history, whatever else is granted one day. */
export function keepHistory({ main }: Stores): PolicyStatement[] {
  if (main === undefined) return [];
  const history = allKinds.filter(({ isHistory }) => isHistory).flatMap(({ like }) => like);
  return [
    new PolicyStatement({
      effect: Effect.DENY,
      actions: ["dynamodb:UpdateItem", "dynamodb:DeleteItem"],
      resources: [main.arn],
      conditions: { "ForAnyValue:StringLike": { [LEADING]: history } },
    }),
  ];
}
