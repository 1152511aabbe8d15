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
    | Readonly<{ state: "refused"; reason: string }>
  );

/** The service's own limit. */
export const DOCUMENT_MB_MAX = 4;
const DOCUMENT_BYTES_MAX = DOCUMENT_MB_MAX * 1024 * 1024;

const reasons: Readonly<Partial<Record<Problem["kind"], MessageKey>>> = {
  too_large: "documentTooLarge",
  media_type: "documentWrongType",
  shape: "documentEmpty",
  tooMany: "tooMany",
  paused: "paused",
};

/** Makes a photo smaller. Few payers need the part of the script that does it: it is loaded when one does. */
const shrink = (file: File): Promise<File | undefined> =>
  import("./photo.ts").then((photo) => photo.shrink(file, DOCUMENT_BYTES_MAX)).catch(() => undefined);

/** The one document of a payer. A file is sent as soon as it is chosen, and replaces an earlier one. */
export function useUpload(api: Api) {
  const { t, moment } = useI18n();
  const [current, setCurrent] = useState<Upload>();
  const [said, setSaid] = useState("");
  const chosen = useRef<File>(undefined);

  const send = async (file: File | undefined) => {
    setSaid(!file && current ? t("documentRemoved", { name: current.name }) : "");
    chosen.current = file;
    if (!file) return setCurrent(undefined);
    const { name } = file;
    const refuse = (key: MessageKey, retryAfterSeconds = 0) => {
      const time = moment(new Date(Date.now() + retryAfterSeconds * 1000));
      const reason = t(key, { name, size: DOCUMENT_MB_MAX, time });
      setCurrent({ name, state: "refused", reason });
      setSaid(reason);
    };
    if (file.size === 0) return refuse("documentEmpty");
    setCurrent({ name, state: "sending", fraction: 0 });
    const sent = file.size > DOCUMENT_BYTES_MAX ? await shrink(file) : file;
    // The payer has chosen another file meanwhile.
    if (chosen.current !== file) return;
    if (!sent) return refuse("documentTooLarge");
    const reply = await api.upload(sent, (fraction) => {
      if (chosen.current === file) setCurrent({ name, state: "sending", fraction });
    });
    if (chosen.current !== file) return;
    if (!reply.ok) return refuse(reasons[reply.problem.kind] ?? "documentFailed", reply.problem.retryAfterSeconds);
    setCurrent({ name, state: "done", documentId: reply.value.documentId });
    setSaid(t("documentDone", { name }));
  };
  return { current, said, send };
}
