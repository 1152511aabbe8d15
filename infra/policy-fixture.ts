import { functionGrants } from "./function-grants.ts";
import type { Statement } from "./judge-fixture.ts";
import { type Made, resourcesOf } from "./synth-fixture.ts";

type Raw = Readonly<{
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: Record<string, Record<string, string | string[]>>;
}>;

const listOf = <Value>(value: Value | readonly Value[]): readonly Value[] => [value].flat() as Value[];

/** The name of a function, as its logical id spells it. */
const inId = (name: string): string => name.replaceAll("-", "");

/** The functions that a stage has. */
export const functionsOf = ({ api }: Made): string[] =>
  Object.keys(functionGrants)
    .toSorted()
    .filter((name) => resourcesOf(api, "AWS::IAM::Role").some(([id]) => isRoleOf(name, id)));

const isRoleOf = (name: string, id: string): boolean => id.startsWith(`Function${inId(name)}Role`);

/** The statements of a function's role, as deployed. */
export function policyOf({ api }: Made, name: string): Statement[] {
  const [, role] = resourcesOf(api, "AWS::IAM::Role").find(([id]) => isRoleOf(name, id)) ?? [];
  const { Policies } = role as { Policies: [{ PolicyDocument: { Statement: Raw[] } }] };
  return Policies[0].PolicyDocument.Statement.map(toStatement);
}

/** The statements of the operators' policy for looking or changing. */
export function operatorsPolicy({ api }: Made, kind: "Looks" | "Changes"): Statement[] {
  const [, policy] = resourcesOf(api, "AWS::IAM::ManagedPolicy").find(([id]) => id.includes(kind)) ?? [];
  return (policy as { PolicyDocument: { Statement: Raw[] } }).PolicyDocument.Statement.map(toStatement);
}

function toStatement({ Effect, Action, Resource, Condition = {} }: Raw): Statement {
  return {
    effect: Effect,
    actions: listOf(Action),
    on: listOf(Resource).map(targetOf),
    condition: Object.fromEntries(
      Object.entries(Condition).map(([operator, keys]) => [
        operator,
        Object.fromEntries(Object.entries(keys).map(([key, values]) => [key, listOf(values)])),
      ]),
    ),
  };
}

const marks = {
  Main: "main",
  Windows: "windows",
  SandboxRail: "rail",
  AdvanceIntents: "queue",
  Questions: "lane",
  Webhooks: "webhooks",
  "-documents": "documents",
  "-history": "history",
  GetAttDocuments: "bucket",
  Logs: "log",
  "connector-secret-??????": "secret",
};

/** The resource of a policy, by the id or export that it refers to. */
function targetOf(resource: unknown): string {
  const text = JSON.stringify(resource);
  if (text === '"*"') return "all";
  if (text.includes("StreamArn")) return "stream";
  const found = Object.entries(marks).flatMap(([mark, name]) => (text.includes(mark) ? [name] : []));
  const [below = ""] =
    /\/(?:index\/\w+|(?:tmp|kept|payers|saved|requests|exporting|exports|T#)[^"]*)(?=")/.exec(text) ?? [];
  return `${found.join(" or ")}${below}`;
}
