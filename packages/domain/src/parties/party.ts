import { changedAt } from "../changed-at.ts";
import { isObject } from "../fields.ts";
import type { Metadata } from "../metadata.ts";
import { pick } from "../pick.ts";

/** Every `payerType` that inline details may have: those of all kinds of payees together. */
export const payerTypes = [
  "student",
  "parent",
  "guardian",
  "sponsor",
  "agent",
  "individual",
  "business",
  "other",
] as const;
export type PayerType = (typeof payerTypes)[number];

/** The fields that students, saved payers and inline details have in common. An execution keeps a copy of them. */
export type PartyDetails = Readonly<{
  payerType?: PayerType;
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
    /** The tenant's own id of the student. */
    externalId?: string;
    metadata?: Metadata;
    firstName: string;
    lastName: string;
    email: string;
    createdAt: string;
    updatedAt: string;
  }>;

export type SavedPayer = Readonly<{
  _id: string;
  externalId?: string;
  metadata?: Metadata;
  payerType: "individual" | "business";
  email: string;
  profile?: Readonly<{ firstName?: string; lastName?: string; companyName?: string; phone?: string; dob?: string }>;
  address?: Readonly<{ country?: string; line1?: string; city?: string; state?: string; postalCode?: string }>;
  createdAt: string;
  updatedAt: string;
}>;

const detailFields = [
  "firstName",
  "lastName",
  "email",
  "phone",
  "dob",
  "addressLine1",
  "city",
  "state",
  "postcode",
  "countryCode",
  "taxIdentificationNumber",
] as const satisfies (keyof Student)[];

/** A student as its tenant sees it. */
export const toStudentAnswer = (student: Student) =>
  pick(student, ["_id", "externalId", ...detailFields, "metadata", "createdAt", "updatedAt"]);

/** A saved payer as its tenant sees it. */
export const toPayerAnswer = (payer: SavedPayer) =>
  pick(payer, [
    ...(["_id", "externalId", "payerType", "email", "profile", "address", "metadata"] as const),
    ...(["createdAt", "updatedAt"] as const),
  ]);

/** The details of a saved student that an execution keeps. */
export const toStudentDetails = (student: Student): PartyDetails => pick(student, detailFields);

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

/** The party with `changes` laid over it: fields that they leave out stay, and those that are null there go. */
export const mergeParty = <Kind extends Student | SavedPayer>(
  party: Kind,
  changes: Readonly<Record<string, unknown>>,
  nowMs: number,
): Kind => {
  const { metadata = {}, ...merged } = merge(party, changes);
  const noted = isObject(metadata) && Object.keys(metadata).length > 0 ? { metadata } : {};
  return { ...merged, ...noted, updatedAt: changedAt(party.updatedAt, nowMs) } as unknown as Kind;
};

/** Lays `changes` over `fields`; objects inside are merged likewise (DESIGN 17). */
function merge(fields: object, changes: object): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...fields };
  for (const [name, value] of Object.entries(changes)) {
    const before = merged[name];
    if (value === null) delete merged[name];
    else merged[name] = isObject(value) ? merge(isObject(before) ? before : {}, value) : value;
  }
  return merged;
}
