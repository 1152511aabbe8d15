import { useState } from "preact/hooks";
import type { Api } from "../api/api.ts";
import type { Problem } from "../api/problem.ts";
import type { PayerDetails, Session } from "../api/wire.ts";
import { useI18n } from "../i18n.ts";
import type { Entry } from "./entry.ts";
import { type Explanation, explain, sayRenewed } from "./explanation.ts";
import { type HeldQuote, variantOf } from "./held-quote.ts";
import { useLiveQuote } from "./live-quote.ts";
import { firstPossible, type Step, useSteps } from "./steps.ts";
import { useUpload } from "./upload.ts";

export type FlowListener = Readonly<{
  onPaying: (session: Session) => void;
  /** Called when the link turns out to be missing or closed. */
  onGone: (kind: "missing" | "closed") => void;
}>;

/** The payer's entries so far, and the actions that they allow. */
export function useFlow(api: Api, { onPaying, onGone }: FlowListener) {
  const i18n = useI18n();
  const { t } = i18n;
  const [step, go] = useSteps();
  const [method, setMethod] = useState<string>();
  const [details, setDetails] = useState<PayerDetails>();
  const [paying, setPaying] = useState(false);
  /** True when a session was requested and its outcome is unknown: only the very same request may be sent again. */
  const [unsure, setUnsure] = useState(false);
  const [notice, setNotice] = useState("");
  const [refused, setRefused] = useState<Explanation>({});
  const upload = useUpload(api);

  const moveTo = (next: Step) => {
    setRefused({});
    if (next !== step) go(next);
  };
  const refuse = (problem: Problem) => {
    if (problem.kind === "missing" || problem.kind === "closed") return onGone(problem.kind);
    const why = explain(problem, i18n, Date.now());
    if (why.entry !== undefined) moveTo("amount");
    if (why.details !== undefined) moveTo("details");
    if (problem.kind === "not_found") void upload.send(undefined);
    setRefused(why);
  };
  const onRenewed = (before: HeldQuote, after: HeldQuote) => {
    const said = sayRenewed(variantOf(before, method), variantOf(after, method), i18n);
    setNotice(said ?? t("methodGone"));
    if (said !== undefined) return;
    setMethod(undefined);
    moveTo("method");
  };
  const quote = useLiveQuote(api, paying || unsure, { onRenewed, onRefused: refuse });
  const variant = variantOf(quote.held, method);

  const enter = async (entry: Entry) => {
    setRefused({});
    const held = await quote.enter(entry);
    if (held === undefined) return;
    if (!variantOf(held, method)?.isWithinLimits) setMethod(undefined);
    // The same quote gives the same session again, while another quote makes another payment.
    if (held !== quote.held) setUnsure(false);
    setNotice("");
    moveTo("method");
  };

  const pay = async () => {
    if (details === undefined || quote.held === undefined || variant === undefined) return;
    setPaying(true);
    setRefused({});
    setNotice(t("starting"));
    const { current } = upload;
    const reply = await api.startSession({
      payerDetails: details,
      quoteId: quote.held.quote.quoteId,
      selectedQuoteVariantId: variant.id,
      ...(current?.state === "done" && { documentIds: [current.documentId] }),
    });
    setPaying(false);
    setNotice("");
    if (reply.ok) return onPaying(reply.value);
    // A request that seems never sent may have arrived, and a fault may have happened after the payment was made.
    const isUnsure = ["offline", "fault", "unsure"].includes(reply.problem.kind);
    const kind = isUnsure ? "unsure" : reply.problem.kind;
    setUnsure(isUnsure);
    if (kind !== "quote_gone") refuse({ ...reply.problem, kind });
    // A quote is used up by one payment, even one that was refused.
    if (["quote_gone", "refused", "duplicate", "unavailable"].includes(kind)) await quote.renew();
  };

  return {
    ...{ details, setDetails, method, setMethod, variant, upload, notice, refused, moveTo, enter, pay },
    step: firstPossible(step, { held: quote.held, method, details }),
    ...{ entry: quote.entry, held: quote.held, isOfForm: quote.isOfForm, look: quote.preview, asking: quote.asking },
    busy: quote.asking || paying,
  };
}
