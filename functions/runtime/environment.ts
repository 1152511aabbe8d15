import { webcrypto } from "node:crypto";
import { parseSettings } from "@intents/deployment/settings.ts";
import type { RandomBytes } from "@intents/domain/ids.ts";
import { openTable } from "@intents/storage/table/table.ts";

/** The means that the functions of one container share: settings of the environment, table, time and randomness. */
export const settings = parseSettings(process.env);
export const table = openTable(settings.TABLE_NAME);
/** The table of rate windows, whose loss does no harm (H54). */
export const windows = { ...table, name: settings.WINDOW_TABLE_NAME };
export const now = (): number => Date.now();
export const random: RandomBytes = (count) => webcrypto.getRandomValues(new Uint8Array(count));
