import { openCopying } from "./copying.ts";
import { openSamples } from "./sampling.ts";
import { openSearch } from "./searching.ts";
import { openTrials } from "./trying.ts";

// This script runs in the browser, on every page of the documentation.
openSearch();
openTrials();
openSamples();
openCopying();
// On a phone the contents are closed at first.
const contents = document.querySelector<HTMLDetailsElement>("nav details");
if (contents !== null && matchMedia("(max-width: 59.99rem)").matches) contents.open = false;
// Elsewhere they scroll by themselves, and begin near the page that is shown.
const shown = contents?.querySelector<HTMLElement>("[aria-current]");
if (contents && shown) contents.scrollTop = shown.offsetTop - contents.clientHeight / 3;
// A field that a link leads to may lie in others, which are closed.
const showTarget = (): void => {
  const target = document.getElementById(location.hash.slice(1));
  for (let around = target?.closest("details"); around; around = around.parentElement?.closest("details"))
    around.open = true;
  target?.scrollIntoView();
};
addEventListener("hashchange", showTarget);
showTarget();
