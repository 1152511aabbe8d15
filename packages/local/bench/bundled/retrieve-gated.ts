import { gate } from "@intents/functions/runtime/gate.ts";
import { retrieveBehind } from "../retrieve.ts";

export const handler = retrieveBehind(gate);
