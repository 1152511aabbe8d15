import { DOCUMENT_MB_MAX, type Upload } from "../flow/upload.ts";
import { useI18n } from "../i18n.ts";
import { Field } from "../parts.tsx";

type Props = Readonly<{
  upload: Upload | undefined;
  error: string | undefined;
  onFile: (file: File | undefined) => void;
}>;

/** Takes one identity document and sends it as soon as it is chosen. */
export function DocumentField({ upload, error, onFile }: Props) {
  const { t, percent } = useI18n();
  const refused = upload?.state === "refused" ? upload.reason : undefined;
  if (upload?.state === "done")
    return (
      <div class="field">
        <span class="label">{t("documentLabel")}</span>
        <div class="file">
          <span>{t("documentDone", { name: upload.name })}</span>
          <button type="button" class="quiet" onClick={() => onFile(undefined)}>
            {t("documentRemove", { name: upload.name })}
          </button>
        </div>
      </div>
    );
  const progress = upload?.state === "sending" ? upload.fraction : undefined;
  return (
    <Field
      name="document"
      label={t("documentLabel")}
      hint={t("documentHint", { size: DOCUMENT_MB_MAX })}
      error={refused ?? error}
      optional
    >
      {(attributes) => (
        <>
          <input
            {...attributes}
            type="file"
            accept="application/pdf,image/jpeg,image/png"
            onChange={(event) => onFile(event.currentTarget.files?.[0])}
          />
          {progress !== undefined && (
            <p class="hint">
              <label for="sent">
                {t("documentUploading", {
                  name: upload?.name ?? "",
                  percent: percent(Math.floor(progress * 100) / 100),
                })}
              </label>
              <progress id="sent" value={progress} />
            </p>
          )}
        </>
      )}
    </Field>
  );
}
