import { hydrate } from "preact";
import { App, type AppProps } from "./app.tsx";
import { keepLanguage } from "./flow/memory.ts";

// This script runs in the browser, and takes over the page that the server has rendered.
const root = document.getElementById("app");
const data = document.getElementById("data")?.textContent;
const kept = keepLanguage(location.search);
if (kept !== undefined && kept !== document.documentElement.lang) {
  const url = new URL(location.href);
  url.searchParams.set("lang", kept);
  location.replace(url);
} else if (root !== null && data) {
  hydrate(<App {...(JSON.parse(data) as AppProps)} />, root);
}
