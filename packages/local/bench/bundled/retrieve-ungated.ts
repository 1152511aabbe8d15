import { retrieveBehind } from "../retrieve.ts";

/** @public Nobody is counted and nobody is turned away. */
export const handler = retrieveBehind(async () => ({ headers: {} }));
