import { hydrate } from "preact";
import { type AppProps, Main } from "./app.tsx";
import { keepLanguage } from "./flow/memory.ts";

// This script runs in the browser, and takes over the page that the server has rendered.
// In a browser that is too old for it, the page stays as the server has rendered it (server/guard.ts).
const root = document.querySelector(".scripted main");
const languages = document.querySelector(".languages");
const data = document.getElementById("data")?.textContent;
const kept = keepLanguage(location.search);
if (kept !== undefined && kept !== document.documentElement.lang) {
  const url = new URL(location.href);
  url.searchParams.set("lang", kept);
  location.replace(url);
} else if (root !== null && data) {
  hydrate(<Main {...(JSON.parse(data) as AppProps)} />, root);
  document.getElementById("unready")?.remove();
}
// The address may end with the secret of a payment, which the server never sees: the page in another language keeps it.
languages?.addEventListener("toggle", () => {
  for (const link of languages.querySelectorAll("a")) link.hash = location.hash;
});
