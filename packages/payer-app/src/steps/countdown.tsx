import { useEffect, useState } from "preact/hooks";
import { useI18n } from "../i18n.ts";

/** Counts down to `untilMs` on the page's own clock (performance.now()). Screen readers do not announce each second. */
export function Countdown({ label, untilMs }: Readonly<{ label: string; untilMs: number }>) {
  const { number } = useI18n();
  const secondsLeft = () => Math.max(0, Math.ceil((untilMs - performance.now()) / 1000));
  const [seconds, setSeconds] = useState(secondsLeft);
  useEffect(() => {
    setSeconds(secondsLeft());
    const timer = setInterval(() => setSeconds(secondsLeft()), 1000);
    return () => clearInterval(timer);
  }, [untilMs]);
  const text = `${number(Math.floor(seconds / 60))}:${number(seconds % 60, { minimumIntegerDigits: 2 })}`;
  return (
    <p class="countdown">
      {label} <span role="timer">{text}</span>
    </p>
  );
}
