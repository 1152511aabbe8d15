import { useRef, useState } from "preact/hooks";
import type { Api } from "../api/api.ts";
import type { Problem } from "../api/problem.ts";
import { useI18n } from "../i18n.ts";
import type { MessageKey } from "../messages/en.ts";

/** An upload: under way, done, or refused. */
export type Upload = Readonly<{ name: string }> &
  (
    | Readonly<{ state: "sending"; fraction: number }>
    | Readonly<{ state: "done"; documentId: string }>
    | Readonly<{ state: "refused"; reason: MessageKey }>
  );

/** The service's own limit: 4 MB. */
const DOCUMENT_BYTES_MAX = 4 * 1024 * 1024;

const reasons: Readonly<Partial<Record<Problem["kind"], MessageKey>>> = {
  too_large: "documentTooLarge",
  media_type: "documentWrongType",
  shape: "documentEmpty",
  too_many: "tooMany",
};

/** The one document of a payer. A file is sent as soon as it is chosen, and replaces an earlier one. */
export function useUpload(api: Api) {
  const { t } = useI18n();
  const [current, setCurrent] = useState<Upload>();
  const [said, setSaid] = useState("");
  const chosen = useRef<File>(undefined);

  const send = async (file: File | undefined) => {
    setSaid(file === undefined && current !== undefined ? t("documentRemoved", { name: current.name }) : "");
    chosen.current = file;
    if (file === undefined) return setCurrent(undefined);
    const { name } = file;
    const refuse = (reason: MessageKey) => {
      setCurrent({ name, state: "refused", reason });
      setSaid(t(reason, { name }));
    };
    if (file.size > DOCUMENT_BYTES_MAX) return refuse("documentTooLarge");
    if (file.size === 0) return refuse("documentEmpty");
    setCurrent({ name, state: "sending", fraction: 0 });
    const reply = await api.upload(file, (fraction) => {
      if (chosen.current === file) setCurrent({ name, state: "sending", fraction });
    });
    // The payer has chosen another file meanwhile.
    if (chosen.current !== file) return;
    if (!reply.ok) return refuse(reasons[reply.problem.kind] ?? "documentFailed");
    setCurrent({ name, state: "done", documentId: reply.value.documentId });
    setSaid(t("documentDone", { name }));
  };
  return { current, said, send };
}
