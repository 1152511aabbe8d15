/** The outcome of an operation: a value, or a refusal that its caller caused and can act on. Faults are thrown. */
export type Result<Value, Refusal> = Readonly<{ ok: true; value: Value }> | Readonly<{ ok: false; failure: Refusal }>;

export const ok = <Value>(value: Value): Readonly<{ ok: true; value: Value }> => ({ ok: true, value });

export const fail = <Refusal>(failure: Refusal): Readonly<{ ok: false; failure: Refusal }> => ({ ok: false, failure });

/** A request of the wrong shape; every problem names its dotted path. */
export type ShapeFailure = Readonly<{ kind: "shape"; problems: readonly string[]; limits?: AmountLimits }>;

/** The least and the most that an amount may be, as decimal strings. */
export type AmountLimits = Readonly<{ minAmount: string; maxAmount: string; currency: string }>;
