import { expect, test } from "vitest";
import { imprintOf } from "./imprint.ts";

const stage = {
  legalName: "Payments Pty Ltd",
  licence: "Licence 1",
  supportContact: "help@pay.example",
  privacyUrl: "https://pay.example/privacy",
};

test.each([
  ["the stage's alone, of no known link", stage, undefined, { ...stage, ask: "help@pay.example" }],
  ["the stage's", stage, { name: "Acme" }, { ...stage, ask: "help@pay.example" }],
  ["the tenant, to be asked, where there is no contact", {}, { name: "Acme" }, { ask: "Acme" }],
  [
    "the tenant's own contact, and the rest of the stage's",
    stage,
    { name: "Acme", imprint: { supportContact: "+61 2 5550 1234" } },
    { ...stage, supportContact: "+61 2 5550 1234", ask: "+61 2 5550 1234" },
  ],
  [
    "a tenant's name without the licence of another",
    stage,
    { name: "Acme", imprint: { legalName: "Acme Ltd" } },
    {
      ...{ legalName: "Acme Ltd", supportContact: stage.supportContact, privacyUrl: stage.privacyUrl },
      ask: stage.supportContact,
    },
  ],
])("an imprint is %s", (_, ofStage, tenant, shown) => {
  expect(imprintOf(ofStage, tenant)).toEqual(shown);
});
