import { useState } from "preact/hooks";
import { useI18n } from "../i18n.ts";

/** Copies texts, and says by `said` whether that worked. */
export function useCopying() {
  const { t } = useI18n();
  const [said, setSaid] = useState("");
  const copy = async (what: string, value: string) => {
    // Where the page is not served over https, browsers have no clipboard.
    const copied = await navigator.clipboard?.writeText(value).then(
      () => true,
      () => false,
    );
    setSaid(t(copied ? "copied" : "copyFailed", { what }));
  };
  return { said, copy };
}
