import { render } from "preact-render-to-string";
import { type Assets, renderDocument } from "../document/document.tsx";
import { Home } from "./home.tsx";
import type { HomeView } from "./view.ts";

/** The page at the service's own address, as an HTML document. */
export function renderHome(view: HomeView, assets: Assets): string {
  // A `<` could end the script block, or begin markup in it.
  const data = JSON.stringify(view).replaceAll("<", "\\u003c");
  return renderDocument(
    "Payment Intent Service",
    assets,
    "",
    `<body>
<div id="app">${render(<Home view={view} />)}</div>
<script type="application/json" id="data">${data}</script>
</body>`,
  );
}
