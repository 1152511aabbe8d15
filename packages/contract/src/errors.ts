import type { Failure } from "@intents/domain/failure.ts";
import { commissionErrors } from "./commission-errors.ts";
import type { ErrorTable } from "./error-row.ts";
import { linkErrors } from "./link-errors.ts";
import { paymentErrors } from "./payment-errors.ts";
import { requestErrors } from "./request-errors.ts";

/** The whole catalogue, by family. Codes that the specification does not show are ours (Decision 005). */
export const errorTable: ErrorTable = { ...requestErrors, ...paymentErrors, ...linkErrors, ...commissionErrors };

export type ErrorName = Failure["kind"];
