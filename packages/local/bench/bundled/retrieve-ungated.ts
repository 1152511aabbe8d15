import { retrieveBehind } from "../retrieve.ts";

/** Nobody is counted and nobody is turned away. */
export const handler = retrieveBehind(async () => ({ headers: {} }));
