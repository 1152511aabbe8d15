import type { InputHTMLAttributes } from "preact";
import type { PayerDetails } from "../api/wire.ts";
import { useFormErrors } from "../flow/form-errors.ts";
import { addressFields, type DetailErrors, type DetailField, readDetails } from "../flow/payer-details.ts";
import type { Upload } from "../flow/upload.ts";
import { useI18n } from "../i18n.ts";
import type { MessageKey } from "../messages/en.ts";
import { Field, Heading } from "../parts.tsx";
import { DocumentField } from "./document-field.tsx";

type Props = Readonly<{
  country: string;
  details: PayerDetails | undefined;
  /** The errors that the service found in the details. */
  refused: DetailErrors | undefined;
  upload: Upload | undefined;
  onFile: (file: File | undefined) => void;
  onBack: () => void;
  onDone: (details: PayerDetails) => void;
}>;

const controls: Readonly<Partial<Record<DetailField, InputHTMLAttributes>>> = {
  firstName: { autocomplete: "given-name", required: true },
  lastName: { autocomplete: "family-name", required: true },
  email: { type: "email", autocomplete: "email", required: true, dir: "ltr" },
  phone: { type: "tel", autocomplete: "tel", dir: "ltr" },
  dob: { type: "date", autocomplete: "bday" },
  addressLine1: { autocomplete: "address-line1" },
  city: { autocomplete: "address-level2" },
  state: { autocomplete: "address-level1" },
  postcode: { autocomplete: "postal-code", maxLength: 20 },
};

/** The bounds of the contract's phone numbers. */
const phoneDigits = { min: 5, max: 20 };

const hints: Readonly<Partial<Record<DetailField, MessageKey>>> = { email: "emailHint", phone: "phoneHint" };

/** The third step: the payer's details and identity document. */
export function DetailsStep({ country, details, refused, upload, onFile, onBack, onDone }: Props) {
  const { t } = useI18n();
  const { form, errors, tell: announce, forget } = useFormErrors(refused);

  const submit = (event: Event) => {
    event.preventDefault();
    const read = readDetails(new FormData(form.current ?? undefined), country);
    const found: DetailErrors = {
      ...read.errors,
      ...(upload?.state === "sending" && { document: "documentWait" as const }),
    };
    announce(found);
    if (Object.keys(found).length === 0) onDone(read.details);
  };
  const input = (name: DetailField) => (
    <Field
      key={name}
      name={name}
      label={t(name)}
      hint={hints[name] && t(hints[name])}
      error={errors[name] && t(errors[name], phoneDigits)}
      optional={controls[name]?.required !== true}
    >
      {(attributes) => (
        <input maxLength={140} {...attributes} {...controls[name]} defaultValue={details?.[name] ?? ""} />
      )}
    </Field>
  );
  return (
    <form ref={form} class="step" noValidate onSubmit={submit} onInput={forget}>
      <Heading focus>{t("detailsTitle")}</Heading>
      <div class="pair">{(["firstName", "lastName"] as const).map(input)}</div>
      <div class="pair">{(["email", "phone"] as const).map(input)}</div>
      {input("dob")}
      <details open={addressFields.some((name) => details?.[name] || errors[name])}>
        <summary>
          {t("address")} <span class="optional">({t("optional")})</span>
        </summary>
        {input("addressLine1")}
        <div class="pair">{(["city", "state"] as const).map(input)}</div>
        {input("postcode")}
      </details>
      <DocumentField upload={upload} error={errors.document && t(errors.document)} onFile={onFile} />
      <div class="actions">
        <button type="button" class="quiet" onClick={onBack}>
          {t("back")}
        </button>
        <button type="submit">{t("continue")}</button>
      </div>
    </form>
  );
}
