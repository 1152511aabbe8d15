/** What an operation came to: a value, or a refusal that the caller caused and can act on. Faults are thrown instead. */
export type Result<Value, Refusal> = Readonly<{ ok: true; value: Value }> | Readonly<{ ok: false; failure: Refusal }>;

export const ok = <Value>(value: Value): Readonly<{ ok: true; value: Value }> => ({ ok: true, value });

export const fail = <Refusal>(failure: Refusal): Readonly<{ ok: false; failure: Refusal }> => ({ ok: false, failure });
