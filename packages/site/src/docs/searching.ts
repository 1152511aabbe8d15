import type { Find, Found } from "./finding.ts";

/** Lets the field at the top of the page find what stands on all pages while it is typed into. */
export function openSearch(): void {
  const field = document.querySelector<HTMLInputElement>("#search");
  const list = document.querySelector<HTMLUListElement>("#found");
  const said = document.querySelector<HTMLElement>("#found-said");
  if (field === null || list === null || said === null) return;
  field.closest("search")?.removeAttribute("hidden");
  let finding: Promise<Find> | undefined;
  // The search index is larger than any page: only a search loads it.
  const load = (): Promise<Find> => {
    finding ??= import("./finding.ts").then(({ openPages }) => openPages());
    return finding;
  };
  const show = (text: string, items: readonly HTMLLIElement[]): void => {
    said.textContent = text;
    list.replaceChildren(...items);
    list.hidden = items.length === 0;
  };
  const note = (text: string): void => show(text, [item(text)]);
  const search = async (): Promise<void> => {
    const question = field.value.trim();
    if (question === "") return show("", []);
    const found = (await load())(question);
    // Somebody may have typed on while it was loaded.
    if (question !== field.value.trim()) return;
    if (found.length === 0) return note("Nothing found");
    show(`${found.length} found`, found.map(toItem));
  };
  const failed = (): void => {
    finding = undefined;
    note("The search could not be loaded: is the service running?");
  };
  const update = (): void => void search().catch(failed);
  field.addEventListener("focus", () => void load().catch(failed));
  field.addEventListener("input", update);
  // Somebody may have typed before this script was there.
  update();
  field.closest("search")?.addEventListener("keydown", (event) => move(event, field, list, update));
  // A link may lead to another place of the same page.
  list.addEventListener("click", () => show("", []));
}

/** Goes up and down what was found by the arrows, and back to an empty field by Escape. */
function move(event: KeyboardEvent, field: HTMLInputElement, list: HTMLUListElement, update: () => void): void {
  if (event.key === "Escape") {
    field.value = "";
    update();
    field.focus();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || list.hidden) return;
  event.preventDefault();
  const stops: HTMLElement[] = [field, ...list.querySelectorAll("a")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  stops.at((at + step) % stops.length)?.focus();
}

function toItem({ title, href, place, excerpt }: Found): HTMLLIElement {
  const link = document.createElement("a");
  link.href = (document.body.dataset["base"] ?? "") + href;
  link.textContent = title;
  const hint = (text: string) =>
    Object.assign(document.createElement("span"), { className: "hint", textContent: text });
  return item(link, " ", hint(place), document.createElement("br"), hint(excerpt));
}

function item(...content: readonly (Node | string)[]): HTMLLIElement {
  const made = document.createElement("li");
  made.append(...content);
  return made;
}
