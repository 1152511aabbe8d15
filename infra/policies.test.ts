import { type RecordKind, recordKinds } from "@intents/storage/table/record-kinds.ts";
import { describe, expect, test } from "vitest";
import { functionGrants } from "./function-grants.ts";
import { type Call, isAllowed } from "./judge-fixture.ts";
import { functionsOf, policyOf } from "./policy-fixture.ts";
import { synthesize } from "./synth-fixture.ts";

const made = synthesize("sandbox");
const names = functionsOf(made);
const policies = new Map(names.map((name) => [name, policyOf(made, name)]));

const on = (action: string, key: string): Call => ({ action: `dynamodb:${action}`, on: "main", leadingKeys: [key] });
const object = (verb: string, key: string): Call => ({ action: `s3:${verb}Object`, on: `documents/${key}` });
const may = (name: string, call: Call): boolean => isAllowed(policies.get(name) ?? [], call);
/** The functions that may do this. */
const allowed = (call: Call): string[] => names.filter((name) => may(name, call));

const writes = ["PutItem", "UpdateItem", "DeleteItem"];
const intent = "0193abcd0193abcd0193abcd";

describe("no function", () => {
  test.each([
    ["a key", "APIKEY#first-key"],
    ["a tenant", "T#1001"],
    ["that a tenant is suspended", "T#1001#SUSPENSION"],
    ["the switch of maintenance", "SETTING#MAINTENANCE"],
    ["what one operator proposes to another", "T#1001#PROPOSAL#1"],
    ["what nobody knows", "T#1001#SOMETHING#1"],
  ])("writes %s", (_, key) => {
    for (const write of writes) expect(allowed(on(write, key)), write).toEqual([]);
  });

  test("reads the operators' lists of keys, nor the list of tenants but the one that matches everybody's books", () => {
    const readers = (key: string) => allowed({ ...on("Query", key), on: "main/index/byFacet" });
    expect(readers("REGISTER#APIKEYS#1001")).toEqual([]);
    expect(readers("REGISTER#TENANTS")).toEqual(["daily"]);
  });

  test.each(["AUDIT", "LEDGER", "READ"])(
    "changes or deletes an entry of the %s, whatever else it is granted",
    (kind) => {
      const everything = {
        effect: "Allow",
        actions: writes.map((write) => `dynamodb:${write}`),
        on: ["main"],
        condition: {},
      };
      for (const name of names)
        for (const id of [intent, "OPERATOR"])
          for (const write of ["UpdateItem", "DeleteItem"]) {
            const call = on(write, `T#1001#${kind}#${id}`);
            expect(isAllowed([...(policies.get(name) ?? []), everything], call), `${name} ${write}`).toBe(false);
          }
    },
  );

  test("does anything to records by a call that names no key of theirs, or a part of one by a call that names no attribute", () => {
    const actions = ["GetItem", "BatchGetItem", "Query", "ConditionCheckItem", ...writes];
    for (const action of actions) expect(allowed({ action: `dynamodb:${action}`, on: "main" }), action).toEqual([]);
    // The daily function may change a few attributes of a payment, and no other function has less than all.
    const key = `T#1001#INTENT#${intent}`;
    expect(may("daily", { ...on("UpdateItem", key), attributes: ["PK", "SK", "dueAt"] })).toBe(true);
    expect(may("daily", on("UpdateItem", key))).toBe(false);
  });

  test("reads two tenants' records by one that it may read", () => {
    const both = { ...on("BatchGetItem", `T#1001#INTENT#${intent}`), leadingKeys: ["APIKEY#a", "T#1001#SOMETHING#1"] };
    expect(allowed(both)).toEqual([]);
  });
});

test("copies of audit and ledger are added by the one function that does nothing else", () => {
  const real = synthesize("production");
  const copy = (verb: string): Call => ({ action: `s3:${verb}Object`, on: "history/T#1001#AUDIT#1/1/hash" });
  const mayCopy = (verb: string) => functionsOf(real).filter((name) => isAllowed(policyOf(real, name), copy(verb)));
  expect(mayCopy("Put")).toEqual(["copy-history"]);
  for (const verb of ["Get", "Delete"]) expect(mayCopy(verb), verb).toEqual([]);
  const copier = policyOf(real, "copy-history").filter(({ effect }) => effect === "Allow");
  expect(new Set(copier.flatMap(({ on }) => on))).toEqual(
    new Set(["log", "stream", "history/T#*#LEDGER#*", "history/T#*#AUDIT#*", "history/T#*#READ#*"]),
  );
});

describe("only who needs to", () => {
  const submitters = ["advance-intent", "payment-intents", "payment-links"];

  const changed = (...attributes: readonly string[]): Call => ({
    ...on("UpdateItem", `T#1001#INTENT#${intent}`),
    attributes,
  });

  test.each<[string, Call, readonly string[]]>([
    ["adds to the audit", on("PutItem", `T#1001#AUDIT#${intent}`), [...submitters, "webhooks"]],
    ["puts secrets of webhooks", on("PutItem", "T#1001#WEBHOOKSECRET"), ["webhooks"]],
    ["reads secrets of webhooks", on("GetItem", "T#1001#WEBHOOKSECRET"), ["deliver-webhooks"]],
    ["adds to the ledger", on("PutItem", `T#1001#LEDGER#${intent}`), submitters],
    ["adds traces of reads", on("PutItem", `T#1001#READ#${intent}`), ["parties"]],
    ["tells traces of reads", on("Query", `T#1001#READ#${intent}`), ["parties"]],
    ["adds payees", on("PutItem", "PAYEE#5001"), ["payees"]],
    ["writes students", on("PutItem", "T#1001#STUDENT#1"), ["parties"]],
    [
      "writes requests for commissions",
      on("PutItem", "T#1001#COMMISSION_REQUEST#1"),
      ["advance-intent", "commissions"],
    ],
    [
      "changes requests for commissions",
      { ...on("UpdateItem", "T#1001#COMMISSION_REQUEST#1"), attributes: ["doc"] },
      ["advance-intent", "commissions"],
    ],
    [
      "gives a request for commissions a timer",
      { ...on("UpdateItem", "T#1001#COMMISSION_REQUEST#1"), attributes: ["PK", "SK", "ownerPK", "dueShard"] },
      ["advance-intent", "commissions", "daily"],
    ],
    ["reads the books", on("Query", `T#1001#LEDGER#${intent}`), []],
    ["reads the audit", on("Query", `T#1001#AUDIT#${intent}`), ["payment-intents"]],
    ["deletes keys of idempotency", on("DeleteItem", "T#1001#KEY#1"), submitters],
    ["keeps a payment's files", object("Put", "kept/1001/1"), ["parties", "payment-intents"]],
    ["reads a payment's files", object("Get", "kept/1001/1"), ["parties"]],
    ["reads saved documents", object("Get", "saved/1001/STUDENT/1/1"), ["parties"]],
    ["replaces saved documents", object("Put", "saved/1001/STUDENT/1/1"), ["parties"]],
    ["reads files of requests", object("Get", "requests/1001/1/1"), ["commissions"]],
    ["replaces files of requests", object("Put", "requests/1001/1/1"), ["commissions"]],
    ["reads payers' uploads", object("Get", "payers/tmp/1001/l/d"), ["payment-links"]],
    ["copies payers' uploads", object("Put", "payers/kept/1001/l/d/e"), ["payment-links"]],
    ["reads copies of payers' uploads", object("Get", "payers/kept/1001/l/d/e"), []],
    ["reads the parts of exports", object("Get", "exporting/1001/1"), ["commissions"]],
    ["reads exports", object("Get", "exports/1001/1"), ["commissions"]],
    ["deletes a payment's files", object("Delete", "kept/1001/1"), ["daily"]],
    ["deletes saved documents", object("Delete", "saved/1001/STUDENT/1/1"), ["daily", "parties"]],
    ["deletes files of requests", object("Delete", "requests/1001/1/1"), ["commissions", "daily"]],
    ["deletes uploads", object("Delete", "tmp/1001/1"), []],
    // The legs of a batch lie beside it, and a sandbox takes those back that it is asked to fail.
    ["replaces a payment", on("PutItem", `T#1001#INTENT#${intent}`), [...submitters, "sandbox-testing"]],
    ["deletes a payment", on("DeleteItem", `T#1001#INTENT#${intent}`), []],
    ["changes a payment", changed("doc"), ["advance-intent", "payment-intents", "sandbox-testing"]],
    [
      "gives a payment a timer",
      changed("PK", "SK", "version", "dueShard"),
      ["advance-intent", "daily", "payment-intents", "sandbox-testing"],
    ],
    ["lists files of requests", { action: "s3:ListBucket", on: "bucket", prefix: "requests/" }, ["daily"]],
    ["lists a payment's files", { action: "s3:ListBucket", on: "bucket", prefix: "kept/" }, []],
    ["lists everything", { action: "s3:ListBucket", on: "bucket", prefix: "" }, []],
    ["scans", { action: "dynamodb:Scan", on: "main", attributes: ["PK", "SK", "doc"] }, ["daily"]],
    ["scans secrets", { action: "dynamodb:Scan", on: "main", attributes: ["PK", "secret"] }, []],
    ["scans everything", { action: "dynamodb:Scan", on: "main" }, []],
  ])("%s", (_, call, expected) => {
    expect(allowed(call)).toEqual(expected);
  });

  test("the function of links, which anybody may call, reaches what a payer needs", () => {
    const links = (call: Call) => may("payment-links", call);
    for (const key of ["LINK#plink_1", "T#1001", "PAYEE#1", `T#1001#INTENT#${intent}`])
      expect(links(on("GetItem", key))).toBe(true);
    for (const key of ["T#1001#STUDENT#1", "T#1001#PAYER#1", "T#1001#COMMISSION_REQUEST#1", "CURSOR#match-ledger"])
      for (const action of ["GetItem", ...writes]) expect(links(on(action, key)), `${action} ${key}`).toBe(false);
    expect(links(object("Get", "payers/kept/1001/l/d/e"))).toBe(false);
  });

  test("functions that payers call reach no file of a tenant, neither its documents nor its exports", () => {
    const files = ["tmp/1001/1", "exporting/1001/1", "kept/1001/1", "saved/1001/STUDENT/1/1", "exports/1001/1"];
    for (const key of [...files, "requests/1001/1/1"])
      for (const verb of ["Get", "Put", "Delete"])
        for (const name of ["payment-links", "payer-page"])
          expect(may(name, object(verb, key)), `${name} ${verb} ${key}`).toBe(false);
  });
});

test("every index is queried by the kinds of keys that lie in it, and by no others", () => {
  for (const [name, grants] of Object.entries(functionGrants))
    for (const kind of Object.keys(grants)) {
      const { at, like = [] }: RecordKind = recordKinds[kind as keyof typeof grants];
      if (!at.startsWith("main/index/")) continue;
      const ask = (key: string) => may(name, { action: "dynamodb:Query", on: at, leadingKeys: [key] });
      for (const pattern of like)
        expect(ask(pattern.replaceAll("*", "1")), `${name} ${kind}`).toBe(names.includes(name));
      for (const key of ["T#1", "T#1#INTENT#1", "APIKEY#1"]) expect(ask(key), `${name} ${kind} ${key}`).toBe(false);
    }
});
