import { type FunctionGrants, type FunctionName, functionGrants } from "@intents/infra/function-grants.ts";
import { namesOf } from "@intents/infra/grants.ts";
import { exceptions } from "./exceptions.ts";

/** The grants of a table by function, each with its function's name: `parties put documentRead`. */
const grantsIn = (table: Readonly<Partial<Record<FunctionName, FunctionGrants>>>): string[] =>
  Object.entries(table).flatMap(([name, grants]) => namesOf(grants).map((grant) => `${name} ${grant}`));

const excepted = new Set(exceptions.flatMap(({ of }) => grantsIn(of)));
const granted = grantsIn(functionGrants);

/** The grants that a run has not used, and that nothing excepts. */
export const unusedIn = (used: ReadonlySet<string>): string[] =>
  granted.filter((grant) => !used.has(grant) && !excepted.has(grant));

/** The exceptions that a run has used all the same. */
export const usedExceptionsIn = (used: ReadonlySet<string>): string[] =>
  [...excepted].filter((grant) => used.has(grant));

/** The exceptions that are no grants of their functions any more. */
export const idleExceptions = (): string[] => [...excepted].filter((grant) => !granted.includes(grant));
