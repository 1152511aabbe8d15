import { type Exchange, openCall, Refused } from "../home/calling.ts";

/** The page's settings from its stage. */
export type DocsSettings = Readonly<{ canTry: boolean; payersUrl?: string; demoKey?: string }>;

/** Shows the forms that send requests where requests can be sent: neither in production nor at the payers' address. */
export function openTrials(): void {
  const { settings = "", root = "" } = document.body.dataset;
  const { canTry, payersUrl, demoKey } = JSON.parse(settings) as DocsSettings;
  if (!canTry || (payersUrl !== undefined && new URL(payersUrl).origin === location.origin)) return;
  const forms = [...document.querySelectorAll<HTMLFormElement>("form.trying")];
  const [first] = forms;
  if (first === undefined) return;
  const key = keyField(demoKey);
  first.closest("main")?.querySelector("h1")?.after(key.field);
  for (const form of forms) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void send(form, key.input.value, root);
    });
  }
}

/** The field for the key of all forms of the page; the page keeps it nowhere. */
function keyField(demoKey = "") {
  const input = Object.assign(document.createElement("input"), { id: "key", type: "password", value: demoKey });
  input.autocomplete = "off";
  const label = Object.assign(document.createElement("label"), {
    htmlFor: "key",
    textContent: "API key, to try calls",
  });
  const field = Object.assign(document.createElement("div"), { className: "field step" });
  field.append(label, input);
  return { field, input };
}

async function send(form: HTMLFormElement, key: string, root: string): Promise<void> {
  const { method = "GET", path = "", type } = form.dataset;
  const said = form.querySelector<HTMLElement>("[role=status]");
  const shown = form.querySelector("pre");
  if (said === null || shown === null) return;
  const given = new FormData(form);
  const text = (name: string): string => String(given.get(name) ?? "");
  const headers = Object.fromEntries(
    [...given].flatMap(([name, value]) =>
      name.startsWith("header:") && value !== "" ? [[name.slice(7), String(value)]] : [],
    ),
  );
  const query = text("query");
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(text(`path:${name}`)));
  const show = ({ status, durationMs, answer }: Exchange): void => {
    said.textContent = status === 0 ? "No answer came." : `${status}, ${Math.round(durationMs)} ms`;
    shown.textContent = typeof answer === "string" ? answer : (JSON.stringify(answer, null, 2) ?? "nothing");
    shown.hidden = false;
  };
  try {
    await openCall(
      key,
      show,
      root,
    )({
      title: "",
      method,
      path: query === "" ? filled : `${filled}?${query}`,
      headers,
      ...(type === "application/json" && { body: JSON.parse(text("body")) as object }),
      ...(type === "multipart/form-data" && { form: partsOf(given) }),
    });
  } catch (error) {
    if (error instanceof SyntaxError) said.textContent = `The body is not JSON: ${error.message}`;
    else if (!(error instanceof Refused)) throw error;
  }
}

/** The parts of a form as they are sent: without those that nothing was put into. */
function partsOf(given: FormData): FormData {
  const parts = new FormData();
  for (const [name, value] of given) {
    const isEmpty = typeof value === "string" ? value === "" : value.name === "" && value.size === 0;
    if (name.startsWith("part:") && !isEmpty) parts.set(name.slice("part:".length), value);
  }
  return parts;
}
