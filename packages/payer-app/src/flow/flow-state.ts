import { useEffect, useState } from "preact/hooks";
import type { Api } from "../api/api.ts";
import type { Problem } from "../api/problem.ts";
import type { PayerDetails } from "../api/wire.ts";
import { useI18n } from "../i18n.ts";
import type { Entry } from "./entry.ts";
import { type Explanation, explain, sayRenewed } from "./explanation.ts";
import { type HeldQuote, variantOf } from "./held-quote.ts";
import { useLiveQuote } from "./live-quote.ts";
import { keepEntry, recallEntry } from "./memory.ts";
import type { Visit } from "./place.ts";
import { startPayment } from "./starting.ts";
import { firstPossible, type Step, useSteps } from "./steps.ts";
import { useUpload } from "./upload.ts";

/** The payer's entries so far, and the actions that they allow. */
export function useFlow(token: string, api: Api, visit: Visit) {
  const i18n = useI18n();
  const { t } = i18n;
  const [step, go] = useSteps();
  const { kept, method, setMethod } = useKept(token);
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
    if (problem.kind === "missing" || problem.kind === "closed") return visit.leave({ at: problem.kind });
    const why = explain(problem, i18n, Date.now());
    if (why.entry) moveTo("amount");
    if (why.details) moveTo("details");
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
  useKeeping(token, quote.typed, method);

  const enter = async (entry: Entry) => {
    setRefused({});
    const held = await quote.enter(entry);
    if (!held) return;
    if (!variantOf(held, method)?.isWithinLimits) setMethod(undefined);
    // The same quote gives the same session again, while another quote makes another payment.
    if (held !== quote.held) setUnsure(false);
    setNotice("");
    moveTo("method");
  };

  const pay = async () => {
    if (!details || !quote.held || !variant) return;
    setPaying(true);
    setRefused({});
    setNotice(t("starting"));
    const secret = visit.begin();
    const { started, problem, isUnsure } = await startPayment(api, secret, unsure, {
      payerDetails: details,
      quoteId: quote.held.quote.quoteId,
      selectedQuoteVariantId: variant.id,
      ...(upload.current?.state === "done" && { documentIds: [upload.current.documentId] }),
    });
    setPaying(false);
    setNotice("");
    if (started) return visit.start(secret, started);
    const { kind } = problem;
    setUnsure(isUnsure);
    const before = isUnsure ? undefined : visit.giveUp();
    // The payment that keeps the link may be one that was begun in another window of this browser.
    if (kind === "held" && before) return visit.goTo({ at: "remembered", secret: before.secret });
    if (kind !== "quote_gone") refuse(problem);
    // A quote is used up by one payment, even one that was refused.
    if (["quote_gone", "refused", "duplicate", "unavailable"].includes(kind)) await quote.renew();
  };

  return {
    kept,
    details,
    setDetails,
    method,
    setMethod,
    variant,
    upload,
    notice,
    refused,
    moveTo,
    enter,
    pay,
    step: firstPossible(step, { held: quote.held, method, details }),
    entry: quote.entry,
    held: quote.held,
    isOfForm: quote.isOfForm,
    look: quote.preview,
    asking: quote.asking,
    busy: quote.asking || paying,
  };
}

/** The form's values that this window has kept, of which the method is chosen at once. */
function useKept(token: string) {
  const [kept] = useState(() => recallEntry(token));
  const [method, setMethod] = useState(kept.method);
  return { kept, method, setMethod };
}

/** Lets the form's values survive a reload. */
function useKeeping(token: string, typed: Entry | undefined, method: string | undefined): void {
  useEffect(() => {
    if (typed) keepEntry(token, { ...typed, method });
  }, [typed, method]);
}
