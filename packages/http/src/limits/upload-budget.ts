import type { Table } from "@intents/storage/table/table.ts";
import { takeAllFromWindow } from "@intents/storage/table/windows.ts";
import type { AnyRequest } from "../request/request.ts";
import { type Passage, rateHeaders } from "./gate.ts";

/** Takes the files of a request from its sender's budget of the day. */
export type UploadBudget = (request: AnyRequest) => Promise<Passage>;

const DAY_S = 86_400;

/**
 * The bytes that an API key may upload in a day (UTC), and those that all payers of a link may. They are counted in the
 * disposable table by one conditional write for each upload, so that all of them together never exceed a budget.
 */
export function openUploadBudget(
  windows: Table,
  { perKey, perLink }: Readonly<{ perKey: number; perLink: number }>,
): UploadBudget {
  return async ({ caller, params, form, nowMs }) => {
    const bytes = bytesOf(form);
    if (bytes === 0) return { headers: {} };
    const [subject, limit] =
      caller === undefined ? [`link#${Object.values(params).join()}`, perLink] : [`key#${caller.clientId}`, perKey];
    const startS = Math.floor(nowMs / 1000 / DAY_S) * DAY_S;
    const resetS = startS + DAY_S;
    const window = { name: "upload", subject, startS, lengthS: DAY_S, limit };
    // A count that cannot be had lets the upload pass, as it does any request (H54).
    const counted = await takeAllFromWindow(windows, window, bytes).catch(() => undefined);
    if (counted === undefined || counted.taken) return { headers: {} };
    const endsOn = new Date(resetS * 1000).toISOString();
    const retryAfterSeconds = Math.max(1, Math.ceil(resetS - nowMs / 1000));
    return {
      refused: { kind: "upload_budget", limitBytes: limit, endsOn, retryAfterSeconds },
      headers: rateHeaders({ limit, remaining: Math.max(0, limit - counted.used), resetS }),
    };
  };
}

const bytesOf = (form: object | undefined): number =>
  Object.values(form ?? {}).reduce((sum: number, part) => sum + (part?.bytes?.length ?? 0), 0);
