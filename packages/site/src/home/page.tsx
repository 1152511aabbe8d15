import { icon } from "@intents/payer-app/server/page-head.ts";
import { render } from "preact-render-to-string";
import { Home } from "./home.tsx";
import type { HomeView } from "./view.ts";

/** The page as an HTML document. Its links are relative: a stage may have a folder of its own in its address. */
export function renderHome(view: HomeView, { script, style }: Readonly<{ script: string; style: string }>): string {
  // A `<` could end the script block, or begin markup in it.
  const data = JSON.stringify(view).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Payment Intent Service</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="assets/${style}">
<script type="module" src="assets/${script}"></script>
</head>
<body>
<div id="app">${render(<Home view={view} />)}</div>
<script type="application/json" id="data">${data}</script>
</body>
</html>
`;
}
