import { hydrate } from "preact";
import { Home } from "./home.tsx";
import type { HomeView } from "./view.ts";

// This script runs in the browser, and takes over the page that the server has rendered.
const root = document.getElementById("app");
const data = document.getElementById("data")?.textContent;
if (root !== null && data) hydrate(<Home view={JSON.parse(data) as HomeView} />, root);
