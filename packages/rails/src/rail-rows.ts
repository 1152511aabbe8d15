import type { RailDescription } from "@intents/domain/rails/description.ts";
import { httpTerms } from "./http/terms.ts";
import { sandboxBank } from "./sandbox/bank.ts";
import { sandbox } from "./sandbox/terms.ts";

type RailRow = Readonly<{ rail: Omit<RailDescription, "address"> }>;

/**
 * The rails that each value of the setting CONNECTOR stands for: those with corridors of their own come first, and the
 * one that serves every corridor comes last.
 */
export const railRows = {
  sandbox: [sandboxBank, sandbox],
  http: [{ rail: httpTerms }],
} as const satisfies Record<string, readonly RailRow[]>;
