import { useRef } from "preact/hooks";
import type { Api } from "../api/api.ts";
import type { PublicLink } from "../api/wire.ts";
import { useFlow } from "../flow/flow-state.ts";
import type { Visit } from "../flow/place.ts";
import { useI18n } from "../i18n.ts";
import { Alert, Figures } from "../parts.tsx";
import type { PageView } from "../view.ts";
import { AmountStep } from "./amount-step.tsx";
import { DetailsStep } from "./details-step.tsx";
import { MethodStep } from "./method-step.tsx";
import { Progress } from "./progress.tsx";
import { ReviewStep } from "./review-step.tsx";
import { Summary } from "./summary.tsx";

type Props = Readonly<{ view: PageView; link: PublicLink; api: Api; visit: Visit }>;

/** The steps from an open link to a payment. */
export function Flow({ view, link, api, visit }: Props) {
  const { t } = useI18n();
  const flow = useFlow(view.token, api, visit);
  const { step, entry, held, variant, method, details, upload, refused, busy, moveTo } = flow;
  // While the payer types in the first step, the quote of an earlier entry is not shown.
  const priced = step !== "amount" || flow.isOfForm ? { held, variant } : {};
  const document = upload.current?.state === "done" ? upload.current.name : undefined;
  // Only later views take the focus, and one that a held link gave way to: at first it stays where the browser puts it.
  const moved = useRef(link !== view.link);
  if (step !== "amount") moved.current = true;
  const onBack = () => history.back();
  return (
    <div class="columns">
      <Summary {...{ link, ...priced }} />
      <section class="card">
        <Progress step={step} />
        <p class="notice" role="status">
          <Figures>{flow.asking && step === "amount" ? t("loadingQuote") : flow.notice}</Figures>
        </p>
        {visit.place.at === "link" && visit.place.lost && step === "amount" && (
          <p class="note">{t("nothingStarted")}</p>
        )}
        {refused.text && <Alert>{refused.text}</Alert>}
        {step === "amount" && (
          <AmountStep
            {...{ view, link, entry, busy }}
            held={priced.held}
            kept={flow.kept}
            refused={refused.entry}
            limits={refused.limits}
            focus={moved.current}
            onEntry={flow.look}
            onDone={flow.enter}
          />
        )}
        {step === "method" && held && (
          <MethodStep
            {...{ view, link, held, onBack }}
            chosen={method}
            onChoose={flow.setMethod}
            onDone={() => moveTo("details")}
          />
        )}
        {step === "details" && entry && (
          <DetailsStep
            {...{ details, onBack }}
            country={entry.country}
            refused={refused.details}
            upload={upload.current}
            onFile={upload.send}
            onDone={(entered) => {
              flow.setDetails(entered);
              moveTo("review");
            }}
          />
        )}
        {step === "review" && entry && details && variant && (
          <ReviewStep
            {...{ view, link, details, variant, document, busy, onBack }}
            country={entry.country}
            onChange={moveTo}
            onPay={flow.pay}
          />
        )}
        <p class="hidden" role="status">
          {upload.said}
        </p>
      </section>
    </div>
  );
}
