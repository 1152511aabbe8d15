import * as z from "zod";
import { lazily } from "./route.ts";
import { birthday, email, name, phone, text } from "./shapes.ts";
import { CountryCode, PayerType } from "./vocabulary.ts";

/** How a person is reached; every field may be left out. */
const contactFields = () => ({
  phone: phone().exactOptional(),
  dob: birthday().exactOptional(),
  addressLine1: name("Street and number").exactOptional(),
  city: name("City").exactOptional(),
  state: name("State or region").exactOptional(),
  postcode: text(20, "Postal code").exactOptional(),
  countryCode: CountryCode().exactOptional(),
  taxIdentificationNumber: text(64, "The number by which the tax office knows the person").exactOptional(),
});

export const firstName = () => name("Given name");
export const lastName = () => name("Family name");
const payerFieldsOfPerson = () => ({
  payerType: PayerType().exactOptional(),
  companyName: name("The company's name, where a company pays").exactOptional(),
});

const detailFields = () => ({
  ...payerFieldsOfPerson(),
  firstName: firstName().exactOptional(),
  lastName: lastName().exactOptional(),
  email: email().exactOptional(),
  ...contactFields(),
});

/** Inline details of an intent: the fields of students and payers, none of them required. */
export const PartyDetailsInput = lazily(() =>
  z
    .strictObject(detailFields())
    .refine((details) => Object.keys(details).length > 0, "must have at least one field")
    .meta({ id: "PartyDetailsInput", description: "A person or company, stated inline", minProperties: 1 }),
);
export const PartyDetails = lazily(() =>
  z.object(detailFields()).meta({ id: "PartyDetails", description: "What is known of a person or company" }),
);

/** The fields of a student: a name and an address by which it is found are required. */
export const studentFields = () => ({
  firstName: firstName(),
  lastName: lastName(),
  email: email(),
  ...contactFields(),
});

/** The payer of a link: the same fields, of which a name and an email address are required. */
export const LinkPayerDetails = lazily(() =>
  z
    .strictObject({ ...studentFields(), ...payerFieldsOfPerson() })
    .meta({ id: "LinkPayerDetails", description: "Who pays by the link" }),
);
