import { exceptions } from "./exceptions.ts";
import { grantedTo } from "./granted.ts";

const HEAD = `# What each function may do

Written by \`pnpm generate\` from the policies of the templates (Decision 023): each function's actions, where, and at which
keys. \`read\` is any reading of records by their key; \`T#*#INTENT#*\` are the keys of a kind, of any tenant. \`pnpm test:whole\`
notes every call of its services, and fails for a grant that none has used; the exceptions follow the table.
`;

const cell = (text: string): string => text.replaceAll("|", "\\|");
const code = (grants: readonly string[]): string => grants.map((grant) => `\`${cell(grant)}\``).join(", ");

/** docs/grants.md. */
export function grantsPage(): string {
  const isOfAll = (grant: string) => exceptions[0]?.of["*"]?.includes(grant) === true;
  const rows = [...grantedTo()].map(([name, grants]) => {
    const byVerb = Map.groupBy(
      grants.filter((grant) => !isOfAll(grant)),
      (grant) => grant.split(" ")[0] ?? "",
    );
    const verbs = [...byVerb].map(
      ([verb, some]) => `**${verb}** ${code(some.map((grant) => grant.slice(verb.length + 1)))}`,
    );
    return `| ${name} | ${verbs.join("<br>")} |`;
  });
  const excepted = exceptions.map(({ why, shownBy, of }) => {
    const names = Object.entries(of).map(([name, grants]) => `${name === "*" ? "all" : name}: ${code(grants)}`);
    const shown = shownBy === undefined ? "–" : `\`${shownBy[0]}\`: "${shownBy[1]}"`;
    return `| ${why} | ${names.join("<br>")} | ${shown} |`;
  });
  return [
    HEAD,
    "| function | may |\n|---|---|",
    `${rows.join("\n")}\n`,
    "## Grants that no call of the suite uses\n",
    "| why they are kept | grants | the way is shown by |\n|---|---|---|",
    `${excepted.join("\n")}\n`,
  ].join("\n");
}
