import { useEffect, useState } from "preact/hooks";

/** Counts down to `untilMs` on the page's own clock (performance.now()). Screen readers do not announce each second. */
export function Countdown({ label, untilMs }: Readonly<{ label: string; untilMs: number }>) {
  const secondsLeft = () => Math.max(0, Math.ceil((untilMs - performance.now()) / 1000));
  const [seconds, setSeconds] = useState(secondsLeft);
  useEffect(() => {
    setSeconds(secondsLeft());
    const timer = setInterval(() => setSeconds(secondsLeft()), 1000);
    return () => clearInterval(timer);
  }, [untilMs]);
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return (
    <p class="countdown">
      {label} <span role="timer">{text}</span>
    </p>
  );
}
