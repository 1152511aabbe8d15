import { type Step, steps } from "../flow/steps.ts";
import { useI18n } from "../i18n.ts";

const names = {
  amount: "stepAmount",
  method: "stepMethod",
  details: "stepDetails",
  review: "stepReview",
} as const satisfies Record<Step, string>;

/** Shows which of the steps the payer has reached. */
export function Progress({ step }: Readonly<{ step: Step }>) {
  const { t } = useI18n();
  const at = steps.indexOf(step);
  return (
    <div class="progress">
      <p>
        {t("step", { step: at + 1, steps: steps.length })} <b>{t(names[step])}</b>
      </p>
      <ol aria-hidden="true">
        {steps.map((name, index) => (
          <li key={name} class={index <= at ? "done" : undefined} />
        ))}
      </ol>
    </div>
  );
}
