/** The reason why a request was refused, as far as the page treats reasons differently. */
export type Problem = Readonly<{
  kind:
    | "missing"
    | "closed"
    | "held"
    | "not_called_off"
    | "tooManyUnpaid"
    | "quote_gone"
    | "country"
    | "shape"
    | "not_found"
    | "too_large"
    | "media_type"
    | "refused"
    | "unavailable"
    | "paused"
    | "duplicate"
    | "linkReviewed"
    | "received"
    | "tooMany"
    | "unsure"
    | "offline"
    | "fault";
  /** The dotted paths that are wrong in the body. */
  paths: readonly string[];
  /** The bounds of an amount that was refused. */
  limits: Readonly<{ minAmount: string; maxAmount: string; currency: string }> | undefined;
  /** The time after which trying again makes sense. */
  retryAfterSeconds: number;
}>;

/** The codes that say more than their status. */
const kindByCode: Readonly<Record<string, Problem["kind"]>> = {
  "[LNK0001]": "missing",
  "[LNK0003]": "held",
  "[LNK0004]": "not_called_off",
  "[LNK0005]": "tooManyUnpaid",
  "[LNK0006]": "linkReviewed",
  "[LNK0007]": "received",
  "[QOT0001]": "quote_gone",
  "[QOT0002]": "quote_gone",
  "[QOT0003]": "country",
  "[GEN9000]": "fault",
  "[PAY0001]": "unavailable",
  "[PAY0003]": "duplicate",
  "[PAY0004]": "refused",
};

const kindByStatus: Readonly<Record<number, Problem["kind"]>> = {
  0: "offline",
  400: "shape",
  404: "not_found",
  410: "closed",
  413: "too_large",
  415: "media_type",
  429: "tooMany",
  // The outcome is unknown; repeating the same request is safe, because it never pays twice.
  502: "unsure",
  // Maintenance, or a service too busy to have done anything; a store that failed has a code of its own.
  503: "paused",
  504: "unsure",
};

/** The problem that an answer other than 2xx means; `status` 0 stands for no answer at all. */
export function toProblem(status: number, body: unknown, retryAfter: string | null = null): Problem {
  const { code, message, details } = (typeof body === "object" && body !== null ? body : {}) as {
    code?: string;
    message?: unknown;
    details?: { missingRequirements?: readonly string[]; limits?: Problem["limits"] };
  };
  // The message of a wrong shape is a list, in which each problem begins with its path.
  const problems = Array.isArray(message) ? message.map((problem) => String(problem).split(" ", 1)[0] ?? "") : [];
  // A refusal without code and problems is of somebody in between: nothing was heard of the service itself.
  const known = code || problems.length > 0 || status >= 413 ? status : 0;
  return {
    kind: code === "[GEN9009]" ? conflictKind(retryAfter) : (kindByCode[code ?? ""] ?? kindByStatus[known] ?? "fault"),
    paths: [...problems, ...(details?.missingRequirements ?? [])],
    limits: details?.limits,
    retryAfterSeconds: Number(retryAfter) || 0,
  };
}

/** A conflict means another request of the same session under way, or a quote that a refused payment has used up. */
const conflictKind = (retryAfter: string | null): Problem["kind"] => (retryAfter === null ? "quote_gone" : "unsure");
