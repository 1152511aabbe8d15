import { expect, test } from "vitest";
import { project } from "./projection.ts";
import type { Projection } from "./query.ts";

const item = {
  _id: "1",
  id: "1",
  status: "draft",
  name: null,
  payer: { role: "student", details: { email: "a@b.c", dob: "2000-01-01" } },
  recipients: [{ role: "tenant", amount: { currency: "AUD", payerAmount: "1.00" } }, { role: "public_payee" }],
  mixed: [1, { x: 2 }, [{ x: 3, y: 4 }]],
};
const include = (...paths: string[]): Projection => ({ mode: "include", paths });
const exclude = (...paths: string[]): Projection => ({ mode: "exclude", paths });

test.each<[string, Projection | undefined, object]>([
  ["everything without a projection", undefined, item],
  ["what is named", include("id", "status", "name"), { id: "1", status: "draft", name: null }],
  ["nothing of what is missing", include("id", "missing", "status.x", "payer.missing.x"), { id: "1", payer: {} }],
  ["part of an object", include("payer.role"), { payer: { role: "student" } }],
  [
    "part of each element, and nothing of elements that have no parts",
    include("recipients.amount.currency", "mixed.x"),
    { recipients: [{ amount: { currency: "AUD" } }, {}], mixed: [{ x: 2 }, [{ x: 3 }]] },
  ],
  ["a whole that is named beside its part", include("payer.role", "payer"), { payer: item.payer }],
  ["nothing by places in arrays", include("recipients.0.role"), { recipients: [{}, {}] }],
  ["nothing of the prototype", include("constructor", "__proto__.x", "payer.toString"), { payer: {} }],
  [
    "all but what is excluded",
    exclude("_id", "payer.details", "recipients.role", "mixed", "missing", "status.x"),
    {
      id: "1",
      status: "draft",
      name: null,
      payer: { role: "student" },
      recipients: [{ amount: { currency: "AUD", payerAmount: "1.00" } }, {}],
    },
  ],
  ["elements without parts as they are", exclude("mixed.x"), { ...item, mixed: [1, {}, [{ y: 4 }]] }],
])("keeps %s", (_, projection, expected) => {
  const before = structuredClone(item);
  expect(project(projection, item)).toEqual(expected);
  expect(item).toEqual(before);
});
