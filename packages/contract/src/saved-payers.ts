import * as z from "zod";
import { firstName, lastName } from "./party-details.ts";
import { lazily } from "./route.ts";
import { birthday, email, name, phone, text } from "./shapes.ts";
import { CountryCode } from "./vocabulary.ts";

const savedPayerTypes = ["individual", "business"] as const;
const SavedPayerType = lazily(() =>
  z.enum(savedPayerTypes).meta({ id: "SavedPayerType", description: "Whether a person or a company pays" }),
);

/** The fields of a saved payer that its tenant writes. */
export const payerFields = () => ({
  payerType: SavedPayerType(),
  email: email(),
  profile: z
    .strictObject({
      firstName: firstName().exactOptional(),
      lastName: lastName().exactOptional(),
      companyName: name("The company's name").exactOptional(),
      phone: phone().exactOptional(),
      dob: birthday().exactOptional(),
    })
    .describe("Who the payer is")
    .exactOptional(),
  address: z
    .strictObject({
      country: CountryCode().exactOptional(),
      line1: name("Street and number").exactOptional(),
      city: name("City").exactOptional(),
      state: name("State or region").exactOptional(),
      postalCode: text(20, "Postal code").exactOptional(),
    })
    .describe("Where the payer lives, or the company is")
    .exactOptional(),
});
