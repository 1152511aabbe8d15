import { exceptions } from "./exceptions.ts";
import { grantedTo } from "./granted.ts";

/** Whether a grant of a function is an exception. */
const isExcepted = (name: string, grant: string): boolean =>
  exceptions.some(({ of }) => [of["*"], of[name]].some((grants) => grants?.includes(grant)));

/** The grants that a run has not used, and that nothing excepts; each with its function's name. */
export const unusedIn = (used: ReadonlySet<string>): string[] =>
  [...grantedTo()].flatMap(([name, grants]) =>
    grants
      .filter((grant) => !used.has(`${name} ${grant}`) && !isExcepted(name, grant))
      .map((grant) => `${name} ${grant}`),
  );

/** The exceptions that a run has used all the same: what AWS calls for all functions aside. */
export const usedExceptionsIn = (used: ReadonlySet<string>): string[] =>
  exceptions.flatMap(({ of }) =>
    Object.entries(of).flatMap(([name, grants]) =>
      grants.map((grant) => `${name} ${grant}`).filter((grant) => used.has(grant)),
    ),
  );

/** The exceptions that are no grants of their functions any more. */
export function idleExceptions(): string[] {
  const granted = grantedTo();
  const all = new Set([...granted.values()].flat());
  return exceptions.flatMap(({ of }) =>
    Object.entries(of).flatMap(([name, grants]) =>
      grants
        .filter((grant) => (name === "*" ? !all.has(grant) : !granted.get(name)?.includes(grant)))
        .map((grant) => `${name} ${grant}`),
    ),
  );
}
