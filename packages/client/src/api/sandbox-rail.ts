// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { Options } from "../route.ts";
import type { SandboxPayments } from "../schemas/sandbox-rail.ts";

export type SandboxMethods = {
  /**
   * What the simulated rails hold for this tenant, newest first; `executionId` and `limit` narrow it.
   *
   * For testers: what a real rail would know. Scope: `read`.
   */
  listPayments(query?: {
    /** Only the payment of this execution */ executionId?: string;
    /** At most so many */ limit?: number;
  }, options?: Options): Promise<SandboxPayments>;
};
