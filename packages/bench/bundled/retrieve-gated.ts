import { gate } from "@intents/functions/runtime/gate.ts";
import { retrieveBehind } from "../retrieve.ts";

/** @public Loaded by the name of its bundle. */
export const handler = retrieveBehind(gate);
