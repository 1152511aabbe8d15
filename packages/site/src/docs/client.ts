import { openSearch } from "./searching.ts";
import { openTrials } from "./trying.ts";

// This script runs in the browser, on every page of the documentation.
openSearch();
openTrials();
// On a phone the contents are closed at first.
const contents = document.querySelector<HTMLDetailsElement>("nav details");
if (contents !== null && matchMedia("(max-width: 59.99rem)").matches) contents.open = false;
// A field that a link leads to may lie in others, which are closed.
const showTarget = (): void => {
  const target = document.getElementById(location.hash.slice(1));
  for (let around = target?.closest("details"); around; around = around.parentElement?.closest("details"))
    around.open = true;
  target?.scrollIntoView();
};
addEventListener("hashchange", showTarget);
showTarget();
