import type { Entry } from "./build.tsx";

/** Everything that can be found, put in by the bundling step. */
declare const SEARCH_INDEX: readonly Entry[];

const FOUND_MAX = 12;

/** The entries that have all words of a question, those first whose title has them. */
export function find(entries: readonly Entry[], question: string): Entry[] {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  if (words.length === 0) return [];
  const found = entries.filter(([title, , more]) => has(`${title} ${more}`));
  return found.toSorted(([one], [other]) => Number(has(other)) - Number(has(one))).slice(0, FOUND_MAX);
}

/** Lets the field at the top of the page find pages and sections while it is typed into. */
export function openSearch(): void {
  const field = document.querySelector<HTMLInputElement>("#search");
  const list = document.querySelector<HTMLUListElement>("#found");
  if (field === null || list === null) return;
  const base = document.body.dataset["base"] ?? "";
  const show = (): void => {
    const items = find(SEARCH_INDEX, field.value).map(([title, href, more]) => {
      const link = document.createElement("a");
      link.href = base + href;
      link.textContent = title;
      const item = document.createElement("li");
      item.append(link, " ", Object.assign(document.createElement("span"), { className: "hint", textContent: more }));
      return item;
    });
    list.replaceChildren(...items);
    list.hidden = items.length === 0;
  };
  field.addEventListener("input", show);
  // Somebody may have typed before this script was there.
  show();
  field.closest("search")?.addEventListener("keydown", (event) => {
    if ((event as KeyboardEvent).key !== "Escape") return;
    field.value = "";
    show();
    field.focus();
  });
}
