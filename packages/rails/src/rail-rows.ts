import { type RealRail, realRails } from "@intents/deployment/real-rails.ts";
import type { HttpTerms } from "./descriptions.ts";
import { sandboxBank } from "./sandbox/bank.ts";
import { sandbox } from "./sandbox/terms.ts";

export const toTerms = ({ scenarios, place: _place, ...rail }: RealRail): HttpTerms => ({ rail, scenarios });

/**
 * The rails that each value of the setting CONNECTOR stands for: those with corridors of their own come first, and the
 * one that serves every corridor comes last.
 */
export const railRows = { sandbox: [sandboxBank, sandbox], http: realRails.map(toTerms) } as const satisfies Record<
  string,
  readonly HttpTerms[]
>;
