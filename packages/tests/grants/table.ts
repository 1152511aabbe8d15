import { functionGrants } from "@intents/infra/function-grants.ts";
import { namesOf } from "@intents/infra/grants.ts";
import { type RecordKind, recordKinds } from "@intents/storage/table/record-kinds.ts";
import { exceptions } from "./exceptions.ts";

const HEAD = `# What each function may do

Made from \`infra/function-grants.ts\` and the kinds of \`packages/storage/src/table/record-kinds.ts\` (Decision 023). \`get\`
reads by key, alone or in a batch; \`check\` is a condition of a transaction. \`pnpm test:whole\` notes every call of its
services, and fails for a grant that none has used; the exceptions follow the table. Logs and traces are every function's.
`;

const cell = (text: string): string => text.replaceAll("|", "\\|");
const code = (grants: readonly string[]): string => grants.map((grant) => `\`${grant}\``).join(", ");

/** docs/grants.md. */
export function grantsPage(): string {
  const rows = Object.entries(functionGrants)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, grants]) => {
      const byVerb = Map.groupBy(namesOf(grants), (grant) => grant.split(" ")[0] ?? "");
      const verbs = [...byVerb].map(
        ([verb, some]) => `**${verb}** ${code(some.map((grant) => grant.slice(verb.length + 1)))}`,
      );
      return `| ${name} | ${verbs.join("<br>")} |`;
    });
  const kinds = Object.entries<RecordKind>(recordKinds).map(
    ([name, { at, like = [], unlike = [], only = [], isHistory }]) =>
      `| ${name} | ${at} | ${code(like)}${unlike.length > 0 ? `, not ${code(unlike)}` : ""} | ${[
        ...(only.length > 0 ? [`only ${code(only)}`] : []),
        ...(isHistory ? ["never changed or deleted"] : []),
      ].join("; ")} |`,
  );
  const excepted = exceptions.map(({ why, shownBy, of }) => {
    const names = Object.entries(of).map(([name, grants]) => `${name}: ${code(namesOf(grants))}`);
    return `| ${why} | ${names.join("<br>")} | ${shownBy === undefined ? "–" : `\`${shownBy[0]}\`: "${cell(shownBy[1])}"`} |`;
  });
  return [
    HEAD,
    "| function | may |\n|---|---|",
    `${rows.join("\n")}\n`,
    "## Kinds\n",
    "| kind | at | keys, or names of objects | |\n|---|---|---|---|",
    `${kinds.join("\n")}\n`,
    "## Grants that no call of the suite uses\n",
    "| why they are kept | grants | the way is shown by |\n|---|---|---|",
    `${excepted.join("\n")}\n`,
  ].join("\n");
}
