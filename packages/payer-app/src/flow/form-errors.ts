import { useEffect, useRef, useState } from "preact/hooks";

/**
 * The errors of a form by the names of its fields. All are shown at once, with the focus on the first field, and each
 * one goes when the payer changes its field. `refused` holds the errors that the service found.
 */
export function useFormErrors<Errors extends object>(refused: Errors | undefined) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Partial<Errors>>({});
  const [announced, setAnnounced] = useState<object>();
  const announce = (found: Partial<Errors>) => {
    setErrors(found);
    setAnnounced(found);
  };
  useEffect(() => {
    if (refused) announce(refused);
  }, [refused]);
  useEffect(() => {
    if (announced) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [announced]);
  const forget = ({ target }: Event) => {
    const { name } = target as HTMLInputElement;
    setErrors((before) => ({ ...before, [name]: undefined }));
  };
  return { form, errors, tell: announce, forget };
}
