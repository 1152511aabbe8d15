import { expect, test } from "vitest";
import { keysNamedIn } from "./key-uses.ts";

test("a bundle's keys are those that it asks the builder for, at once or by a constant, and those of no tenant", () => {
  const bundle = `function keysOf2(tenantId) { return { intent, audit, object }; }
    var apiKeyKey2 = (id) => ({ PK: id });
    const own = keysOf2(intent.tenantId);
    read(own.quote(id), own.object("kept", newUuid(random)), other.audit(1));
    const { PK } = keysOf2(tenantId).ledger(id, "");
    const all = ids.map(keysOf2("").commission);
    copy(keysOf2(tenantId).storedObject(saved.objectKey, "tmp", "kept"));`;
  expect(keysNamedIn(bundle)).toEqual([
    ...["apiKeyKey", "commission", "ledger", "object kept", "quote", "storedObject kept", "storedObject tmp"],
  ]);
});

test.each([
  ["a builder that is handed on", "give(keysOf);"],
  ["what the builder made, if it is handed on", "const keys = keysOf(tenantId); give(keysOf(tenantId));"],
  ["a part that is taken out of it", "const { audit } = keysOf(tenantId);"],
  ["a kind that is not in the table", "keysOf(tenantId).secret(id);"],
  ["an area that the code does not spell", "keysOf(tenantId).object(area, id);"],
])("%s is refused", (_, code) => {
  expect(() => keysNamedIn(code)).toThrow("The keys are not known of");
});
