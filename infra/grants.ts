import { type Place, type RecordKind, recordKinds, scannedAttributes } from "@intents/storage/table/record-kinds.ts";
import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { FunctionGrants, Verb } from "./function-grants.ts";

/** The resources that functions work on: everything stored or sent lies in one of them. `bucket` is the documents' own. */
export type Resource = Exclude<Place, `main/index/${string}`> | "bucket";
/** A store that functions may get access to, or several, with the variable by which they find it, if there is one. */
export type Store = Readonly<{ arn: string; others?: readonly string[]; variable?: string; value?: string }>;
export type Stores = Readonly<Partial<Record<Resource, Store>>>;

const allKinds: readonly RecordKind[] = Object.values(recordKinds);

type Actions = Readonly<Partial<Record<Verb, readonly string[]>>>;
const actionsOfService = (service: string, verbs: Actions): Actions =>
  Object.fromEntries(
    Object.entries(verbs).map(([verb, actions]) => [verb, actions.map((name) => `${service}:${name}`)]),
  );

const onTable = actionsOfService("dynamodb", {
  get: ["GetItem", "BatchGetItem"],
  query: ["Query"],
  check: ["ConditionCheckItem"],
  put: ["PutItem"],
  update: ["UpdateItem"],
  delete: ["DeleteItem"],
  scan: ["Scan"],
});
const onObjects = actionsOfService("s3", {
  get: ["GetObject"],
  put: ["PutObject"],
  delete: ["DeleteObject"],
  abort: ["AbortMultipartUpload"],
});
const onQueue = actionsOfService("sqs", {
  send: ["SendMessage"],
  receive: ["ReceiveMessage", "DeleteMessage", "GetQueueAttributes"],
});

/** The IAM actions of each verb, by the resource. */
const actionsOn: Readonly<Record<Resource, Actions>> = {
  main: onTable,
  windows: onTable,
  rail: onTable,
  documents: onObjects,
  history: onObjects,
  // This action is about the bucket itself, not about the objects in it.
  bucket: actionsOfService("s3", { list: ["ListBucket"] }),
  queue: onQueue,
  lane: onQueue,
  webhooks: onQueue,
  secret: actionsOfService("secretsmanager", { get: ["GetSecretValue"] }),
  stream: actionsOfService("dynamodb", { follow: ["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"] }),
};

/** One action of a function at a kind of record; `target` is the place, or the bucket that is listed. */
export type Permission = Readonly<{
  /** The verb and the kind's name, as in `get intent`. */
  grant: string;
  target: Place | "bucket";
  action: string;
  kind: RecordKind;
}>;

/** The IAM actions behind a function's grants. */
export function permissionsOf(grants: FunctionGrants): Permission[] {
  return Object.entries(grants).flatMap(([name, verbs]) =>
    verbs.flatMap((verb) => {
      const kind: RecordKind = recordKinds[name as keyof FunctionGrants];
      const target = verb === "list" ? "bucket" : kind.at;
      const actions = actionsOn[resourceOf(target)][verb];
      if (actions === undefined) throw new Error(`No IAM action is known by which functions ${verb} a ${name}`);
      return actions.map((action) => ({ grant: `${verb} ${name}`, target, action, kind }));
    }),
  );
}

/** The grants of a function, each with its verb: `get intent`, `put audit`. */
export const namesOf = (grants: FunctionGrants): string[] =>
  Object.entries(grants).flatMap(([kind, verbs]) => verbs.map((verb) => `${verb} ${kind}`));

const resourceOf = (target: Place | "bucket"): Resource => target.split("/")[0] as Resource;

/** The objects of a bucket that any function may have permissions for. */
export const objectPatternsOf = (bucket: "documents" | "history"): string[] => [
  ...new Set(allKinds.flatMap(({ at, like = [] }) => (at === bucket ? like : []))),
];

/** A scan has no keys that IAM could look at: it may read the attributes that hold no secret. */
export const scanning = (arn: string): PolicyStatement =>
  new PolicyStatement({
    actions: ["dynamodb:Scan"],
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
 * The statements and variables of a function's grants (Decision 023). It does without stores that the stage does not have.
 */
export function grantsOf(grants: FunctionGrants, stores: Stores) {
  const variables: Record<string, string> = {};
  const statements = [...Map.groupBy(permissionsOf(grants), ({ target }) => target)].flatMap(
    ([target, permissions]) => {
      const store = stores[resourceOf(target)];
      if (store === undefined) return [];
      if (store.variable !== undefined && store.value !== undefined) variables[store.variable] = store.value;
      const arn = [store.arn, ...target.split("/").slice(1)].join("/");
      return statementsOn(arn, store.others ?? [], permissions);
    },
  );
  return { statements: [...statements, ...keepHistory(stores)], variables };
}

/** The statements about one place: one for all keys, one for scans, and one for each set of actions at the same keys. */
function statementsOn(arn: string, others: readonly string[], permissions: readonly Permission[]): PolicyStatement[] {
  const keyed = permissions.filter(({ kind }) => kind.like !== undefined);
  const scans = permissions.filter(({ kind }) => kind === recordKinds.everything);
  const free = permissions.filter(({ kind }) => kind.like === undefined && kind !== recordKinds.everything);
  return [
    ...(free.length === 0
      ? []
      : [
          new PolicyStatement({ actions: [...new Set(free.map(({ action }) => action))], resources: [arn, ...others] }),
        ]),
    ...(scans.length === 0 ? [] : [scanning(arn)]),
    ...groupsOf(keyed).map(({ on, actions }) => statementOf(arn, on, actions)),
  ];
}

/** Patterns of keys, without the keys like `unlike`, and limited to the attributes of `only`. */
type Patterns = Readonly<{
  target: Place | "bucket";
  like: readonly string[];
  unlike: RecordKind["unlike"] | undefined;
  only: RecordKind["only"] | undefined;
}>;
type Group = Readonly<{ on: Patterns; actions: readonly string[] }>;

/** The actions by the patterns for which they are allowed, those for the same patterns together. */
function groupsOf(permissions: readonly Permission[]): Group[] {
  const byAction = Map.groupBy(permissions, ({ action, kind: { unlike, only } }) =>
    JSON.stringify([action, unlike, only]),
  );
  const allowed = [...byAction.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const { target, action, kind } = first;
    const like = [...new Set([first, ...more].flatMap((one) => one.kind.like ?? []))].toSorted();
    return [{ action, on: { target, like, unlike: kind.unlike, only: kind.only } }];
  });
  const groups = Map.groupBy(allowed, ({ on }) => JSON.stringify(on));
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ on }) => ({ on, actions: group.map(({ action }) => action) })),
  );
}

function statementOf(arn: string, { target, like, unlike, only }: Patterns, may: readonly string[]): PolicyStatement {
  const actions = [...may];
  if (target === "documents" || target === "history")
    return new PolicyStatement({ actions, resources: like.map((name) => `${arn}/${name}`) });
  if (target === "bucket")
    return new PolicyStatement({ actions, resources: [arn], conditions: { StringLike: { "s3:prefix": like } } });
  const conditions = {
    "ForAllValues:StringLike": { [LEADING]: like },
    Null: { ...NAMES_KEYS, ...(only !== undefined && NAMES_ATTRIBUTES) },
    ...(unlike !== undefined && { "ForAllValues:StringNotLike": { [LEADING]: unlike } }),
    ...(only !== undefined && { "ForAllValues:StringEquals": { [ATTRIBUTES]: only } }),
  };
  return new PolicyStatement({ actions, resources: [arn], conditions });
}

/** Nobody may change the history, whatever else is granted one day. */
export function keepHistory({ main }: Stores): PolicyStatement[] {
  if (main === undefined) return [];
  const history = allKinds.filter(({ isHistory }) => isHistory).flatMap(({ like = [] }) => like);
  return [
    new PolicyStatement({
      effect: Effect.DENY,
      actions: ["dynamodb:UpdateItem", "dynamodb:DeleteItem"],
      resources: [main.arn],
      conditions: { "ForAnyValue:StringLike": { [LEADING]: history } },
    }),
  ];
}
