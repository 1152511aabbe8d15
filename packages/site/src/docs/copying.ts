const SAID_FOR_MS = 2000;

/** Gives each box of code a button that copies it, where the browser lets a page do so: over https, or on one machine. */
export function openCopying(): void {
  if (navigator.clipboard === undefined) return;
  for (const bar of document.querySelectorAll<HTMLElement>(".code > figcaption, .code > .bar")) bar.append(copier(bar));
}

function copier(bar: HTMLElement): HTMLButtonElement {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "copy" });
  const say = (text: string): void => {
    button.textContent = text;
  };
  say("Copy");
  // Screen readers read out the outcome, too.
  button.ariaLive = "polite";
  button.addEventListener("click", async () => {
    const shown = bar.parentElement?.querySelector(":scope > pre, :scope > details:not([hidden]) > pre");
    const outcome = await navigator.clipboard.writeText(shown?.textContent ?? "").then(
      () => "Copied",
      () => "Not copied",
    );
    say(outcome);
    setTimeout(() => say("Copy"), SAID_FOR_MS);
  });
  return button;
}
