import { useEffect, useState } from "preact/hooks";

/** The steps to a payment, in order. */
export const steps = ["amount", "method", "details", "review"] as const;
export type Step = (typeof steps)[number];

/** The step that is shown, and how to change it. The browser's own Back button goes one step back. */
export function useSteps(): readonly [Step, (step: Step) => void] {
  const [step, setStep] = useState<Step>("amount");
  useEffect(() => {
    // A reload loses the entries of the later steps, so that it begins at the first step.
    history.replaceState({ step: "amount" }, "");
    const onPop = ({ state }: PopStateEvent) =>
      setStep(steps.find((known) => known === (state as { step?: unknown } | null)?.step) ?? "amount");
    addEventListener("popstate", onPop);
    return () => removeEventListener("popstate", onPop);
  }, []);
  const go = (next: Step) => {
    history.pushState({ step: next }, "");
    setStep(next);
  };
  return [step, go];
}

/** `step`, or the first step before it that is not done. */
export function firstPossible(step: Step, done: Readonly<{ held: unknown; method: unknown; details: unknown }>): Step {
  if (step !== "amount" && !done.held) return "amount";
  if ((step === "details" || step === "review") && !done.method) return "method";
  return step === "review" && !done.details ? "details" : step;
}
