import { useEffect, useRef, useState } from "preact/hooks";

/**
 * The errors of a form by the names of its fields. All are shown at once, with the focus on the first field, and each
 * one goes when the payer changes its field. `refused` holds the errors that the service found.
 */
export function useFormErrors<Errors extends object>(refused: Errors | undefined) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Partial<Errors>>({});
  const [told, setTold] = useState<object>();
  const tell = (found: Partial<Errors>) => {
    setErrors(found);
    setTold(found);
  };
  useEffect(() => {
    if (refused) tell(refused);
  }, [refused]);
  useEffect(() => {
    if (told) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [told]);
  const forget = ({ target }: Event) => {
    const { name } = target as HTMLInputElement;
    setErrors((before) => ({ ...before, [name]: undefined }));
  };
  return { form, errors, tell, forget };
}
