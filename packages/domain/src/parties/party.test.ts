import { expect, test } from "vitest";
import { mergeParty, type SavedPayer } from "./party.ts";

const payer: SavedPayer = {
  ...{ _id: "p1", payerType: "business", email: "rui@example.com", metadata: { a: "1", b: "2" } },
  profile: { firstName: "Rui", phone: "+351911222333", dob: "1970-01-31" },
  address: { country: "PT", line1: "Rua 1", city: "Porto" },
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};
const NOW_MS = Date.UTC(2026, 0, 2);
const updatedAt = "2026-01-02T00:00:00.000Z";

test("a change keeps the fields that it leaves out, also inside others, and loses those that it names with null", () => {
  const changes = { profile: { phone: null }, address: { line1: null, city: "Braga" }, metadata: { a: null, c: "3" } };
  expect(mergeParty(payer, changes, NOW_MS)).toEqual({
    ...payer,
    profile: { firstName: "Rui", dob: "1970-01-31" },
    address: { country: "PT", city: "Braga" },
    metadata: { b: "2", c: "3" },
    updatedAt,
  });
  const { profile, address, metadata, ...left } = payer;
  expect(mergeParty(payer, { profile: null, address: null, metadata: null }, NOW_MS)).toEqual({ ...left, updatedAt });
  expect(mergeParty(left, { metadata: {} }, NOW_MS)).toEqual({ ...left, updatedAt });
});
