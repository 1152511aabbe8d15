import { createHash } from "node:crypto";

// The page's own script is a module that may never arrive, or that an old browser cannot run. A few lines within the page
// cannot get lost: they give older browsers (packages/deployment/src/browsers.ts) the functions that they lack, and tell
// their reader where the script has not begun. They are sent as they are written here, so that they hold no newer syntax.

function prepare(): void {
  const root = document.documentElement;
  const isNewEnough = "hasOwn" in Object && "at" in Array.prototype && "ListFormat" in Intl;
  root.className = isNewEnough ? "scripted" : "too-old";
  // Chrome 103, Safari 16
  if (!AbortSignal.timeout)
    AbortSignal.timeout = (ms) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), ms);
      return controller.signal;
    };
  // Chrome 106, Firefox 116
  const { prototype } = Intl.NumberFormat;
  if (!prototype.formatRange)
    prototype.formatRange = function (from, to) {
      return `${this.format(from)} – ${this.format(to)}`;
    };
  const answer = () => {
    for (const name of ["unready", isNewEnough ? "late" : "too-old"])
      document.getElementById(name)?.removeAttribute("hidden");
  };
  setTimeout(answer, 8000);
  if (!isNewEnough) addEventListener("DOMContentLoaded", answer);
  // The script that is not there, or that fails as it begins. Only a listener that captures hears the first.
  addEventListener("error", ({ target }) => target instanceof HTMLLinkElement || answer(), true);
  document.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.id === "reload") location.reload();
  });
}

/** The script within the page. */
export const guard = `(${prepare})()`;

/** The script's hash, by which the page's content security policy allows it. */
export const guardHash = `sha256-${createHash("sha256").update(guard).digest("base64")}`;
