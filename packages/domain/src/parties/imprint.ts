/** The facts by which payers know who takes their money, and where they ask and complain. */
export type Imprint = Readonly<{
  legalName?: string;
  /** The licence or registration that `legalName` takes money under. */
  licence?: string;
  /** An e-mail address, a telephone number, or the address of a page. */
  supportContact?: string;
  privacyUrl?: string;
  termsUrl?: string;
  complaintsUrl?: string;
}>;

export const imprintFields = [
  "legalName",
  "licence",
  "supportContact",
  "privacyUrl",
  "termsUrl",
  "complaintsUrl",
] as const satisfies readonly (keyof Imprint)[];

/** An imprint as payers see it; `ask` is whom they ask about a payment. */
export type ShownImprint = Imprint & Readonly<{ ask?: string }>;

/**
 * The imprint that the payers of a tenant's links see: the stage's, with the tenant's own fields in place of its. A
 * tenant's legal name never stands beside the stage's licence. Without a contact, payers ask the tenant. A page of no
 * known link has the stage's alone.
 */
export function imprintOf(stage: Imprint, tenant?: Readonly<{ name: string; imprint?: Imprint }>): ShownImprint {
  const { imprint: own = {}, name } = tenant ?? {};
  const { licence, ...rest } = stage;
  const shown: Imprint = { ...rest, ...(licence !== undefined && own.legalName === undefined && { licence }), ...own };
  const ask = shown.supportContact ?? name;
  return { ...shown, ...(ask !== undefined && { ask }) };
}
