/** The fields that students, saved payers and inline details have in common. An execution keeps a copy of them. */
export type PartyDetails = Readonly<{
  payerType?: string;
  firstName?: string;
  lastName?: string;
  companyName?: string;
  email?: string;
  phone?: string;
  dob?: string;
  addressLine1?: string;
  city?: string;
  state?: string;
  postcode?: string;
  countryCode?: string;
  taxIdentificationNumber?: string;
}>;

export type Student = Omit<PartyDetails, "payerType" | "companyName"> &
  Readonly<{
    _id: string;
    firstName: string;
    lastName: string;
    email: string;
    createdAt: string;
    updatedAt: string;
  }>;

export type SavedPayer = Readonly<{
  _id: string;
  payerType: "individual" | "business";
  email: string;
  profile?: Readonly<{ firstName?: string; lastName?: string; companyName?: string; phone?: string; dob?: string }>;
  address?: Readonly<{ country?: string; line1?: string; city?: string; state?: string; postalCode?: string }>;
  createdAt: string;
  updatedAt: string;
}>;

/** The details of a saved student that an execution keeps. */
export function toStudentDetails({ _id, createdAt, updatedAt, ...details }: Student): PartyDetails {
  return details;
}

/** The details of a saved payer that an execution keeps, in the field names of inline details. */
export function toPayerDetails({ payerType, email, profile, address }: SavedPayer): PartyDetails {
  const details = {
    payerType,
    email,
    ...profile,
    addressLine1: address?.line1,
    city: address?.city,
    state: address?.state,
    postcode: address?.postalCode,
    countryCode: address?.country,
  };
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}

/** The party with `changes` laid over it: fields that they leave out stay, objects inside are merged (DESIGN 17). */
export function mergeParty<Kind extends Student | SavedPayer>(
  party: Kind,
  changes: Readonly<Record<string, unknown>>,
  nowMs: number,
): Kind {
  const merged: Record<string, unknown> = { ...party };
  for (const [field, value] of Object.entries(changes)) {
    const inside = merged[field];
    const both = isObject(inside) && isObject(value);
    merged[field] = both ? { ...inside, ...value } : value;
  }
  return { ...merged, updatedAt: new Date(nowMs).toISOString() } as unknown as Kind;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
