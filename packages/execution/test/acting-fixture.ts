import { AsyncLocalStorage } from "node:async_hooks";

/** For tests: the name of the acting function, by whose grants its calls may be judged. */
export const acting = new AsyncLocalStorage<string>();

/** Work as the function of that name does it. */
export const actAs = <Done>(name: string, work: () => Promise<Done>): Promise<Done> => acting.run(name, work);
