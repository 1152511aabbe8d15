const STORED_AS = "docs-language";

/** Shows each call's request in one language: the one that the reader has chosen, here or on another page. */
export function openSamples(): void {
  const boxes = [...document.querySelectorAll<HTMLElement>(".samples")];
  const languages = [...(boxes[0]?.querySelectorAll("details") ?? [])].map(languageOf);
  const show = (chosen: string): void => {
    for (const sample of document.querySelectorAll<HTMLDetailsElement>(".samples details")) {
      sample.hidden = languageOf(sample) !== chosen;
      sample.open = true;
    }
    for (const button of document.querySelectorAll(".samples button[aria-pressed]"))
      button.ariaPressed = String(button.textContent === chosen);
  };
  for (const box of boxes) box.prepend(choice(languages, show));
  const [first = ""] = languages;
  const stored = read() ?? first;
  show(languages.includes(stored) ? stored : first);
}

const languageOf = (sample: HTMLElement): string => sample.dataset["language"] ?? "";

/** A button for each language. What is pressed stays where it is on the screen, while boxes above it change. */
function choice(languages: readonly string[], show: (language: string) => void): HTMLElement {
  const bar = Object.assign(document.createElement("div"), { className: "bar" });
  bar.append(
    ...languages.map((language) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: language });
      button.ariaPressed = "false";
      button.addEventListener("click", () => {
        const before = button.getBoundingClientRect().top;
        show(language);
        store(language);
        scrollBy({ top: button.getBoundingClientRect().top - before, behavior: "instant" });
      });
      return button;
    }),
  );
  return bar;
}

// A browser may be set to store nothing for a page: the choice then holds for the page.
function read(): string | null {
  try {
    return localStorage.getItem(STORED_AS);
  } catch {
    return null;
  }
}

function store(language: string): void {
  try {
    localStorage.setItem(STORED_AS, language);
  } catch {}
}
