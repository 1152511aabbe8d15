import { addAmounts, compareAmounts } from "@intents/domain/amounts/money.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import type { Caller } from "@intents/domain/parties/caller.ts";
import { tryIntent } from "@intents/execution/drafts/dry-run.ts";
import type { HashedPreview } from "@intents/execution/submit/preview.ts";
import { must } from "./ledger.ts";
import type { Random } from "./random.ts";
import type { SimulatedWorld } from "./world.ts";

/** Previews that callers have seen, by which they bind some of their submits. */
export function openPreviews({ run }: SimulatedWorld, random: Random, caller: Caller) {
  const seen: { intentId: string; preview: HashedPreview }[] = [];
  return {
    look: async (intentId: string) => {
      const tried = await tryIntent(run, caller, intentId);
      if (tried.ok && tried.value.preview !== undefined) seen.push({ intentId, preview: tried.value.preview });
    },
    /** The hash of a preview, mostly of this intent; undefined where none was seen. */
    choose: (intentId: string): string | undefined => {
      const own = seen.filter((each) => each.intentId === intentId);
      const chosen = own.length > 0 && random.chance(0.85) ? own : seen;
      return chosen.length === 0 ? undefined : random.pick(chosen).preview.hash;
    },
    /** Checks that a payment, which was made by a submit that a preview bound, is the one that was seen. */
    check: (intent: PaymentIntent, hash: string) => {
      const own = seen.find((each) => each.intentId === intent.id && each.preview.hash === hash);
      must(own !== undefined, `${intent.id} was paid by the preview of another`);
      const legs = intent.bulkProgress === undefined ? (intent.executions.at(-1)?.legs ?? []) : [];
      if (legs.length === 0) return;
      for (const { currency, amount } of own.preview.delivered) {
        const paid = legs.flatMap((leg) => (leg.payeeCurrency === currency ? (leg.payeeAmount ?? []) : []));
        must(
          compareAmounts(addAmounts(...paid), amount) === 0,
          `${intent.id} pays ${paid} ${currency}, and showed ${amount}`,
        );
      }
    },
  };
}
