import { errorTable } from "@intents/contract/errors.ts";
import { faultTable } from "@intents/contract/faults.ts";
import { routes } from "@intents/contract/routes.ts";
import { exceptions } from "./exceptions.ts";

/** The success and each declared error of every route, and each error that no route declares, of any request. */
export const declared: readonly string[] = Object.values(routes).flatMap(({ on, errors = [], answers }) =>
  [...(answers.status === 501 ? [] : ["ok"]), ...errors].map((answer) => `${on} ${answer}`),
);
const ofRoutes = new Set(declared.map(nameOf));
const ofAny = Object.keys({ ...errorTable, ...faultTable }).filter((name) => !ofRoutes.has(name));

/** The declared answers that a run did not get, without the exceptions. */
export function unseenIn(seen: ReadonlySet<string>): string[] {
  const names = new Set([...seen].map(nameOf));
  const unseen = [...declared.filter((answer) => !seen.has(answer)), ...ofAny.filter((name) => !names.has(name))];
  const excepted = exceptions.flatMap(({ answers }) => answers);
  return unseen.filter((answer) => !excepted.includes(answer));
}

/** The exceptions that the contract does not declare. */
export const idleExceptions = (): string[] =>
  exceptions.flatMap(({ answers }) => answers.filter((answer) => ![...declared, ...ofAny].includes(answer)));

function nameOf(answer: string): string {
  return answer.slice(answer.lastIndexOf(" ") + 1);
}
