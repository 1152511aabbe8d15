import type { Failure } from "@intents/domain/failure.ts";
import { listResources } from "@intents/domain/lists/resources.ts";
import { describe, expect, test } from "vitest";
import type { oas31 } from "zod-openapi";
import { openDocument } from "../../test/exchange-fixture.ts";
import { gatewayError, toErrorAnswer } from "../error-answers.ts";
import { errorBody } from "../error-bodies.ts";
import { routes } from "../routes.ts";
import { toOpenApi } from "./document.ts";
import examples from "./recorded.json" with { type: "json" };

const document = toOpenApi(routes, examples);
/** A parameter of an operation, whose headers stand among the components. */
const parameterOf = (parameter: oas31.ParameterObject | oas31.ReferenceObject) =>
  ("$ref" in parameter
    ? document.components?.parameters?.[parameter.$ref.split("/").at(-1) ?? ""]
    : parameter) as oas31.ParameterObject;
const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item).map(([method, { parameters = [], ...operation }]: [string, oas31.OperationObject]) => ({
    on: `${method.toUpperCase()} ${path}`,
    path,
    operation: { ...operation, parameters: parameters.map(parameterOf) },
  })),
);

describe("the route table", () => {
  test.each(Object.entries(routes))("%s has a summary and a group, and no other route answers its path", (_, route) => {
    expect(route.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(document.tags?.map(({ name }) => name)).toContain(route.group);
    expect(Object.values(routes).filter(({ on }) => on === route.on)).toHaveLength(1);
  });

  test("its examples are bodies that it accepts", () => {
    for (const { body, example } of Object.values(routes)) {
      if (example !== undefined) expect(body?.().safeParse(example).error).toBeUndefined();
    }
  });
});

describe("the document", () => {
  test("holds every route once, under the route's name", () => {
    const documented = operations.map(({ on, operation }) => [operation.operationId, on]);
    expect(Object.fromEntries(documented)).toEqual(
      Object.fromEntries(Object.entries(routes).map(([name, { on }]) => [name, on])),
    );
    expect(documented).toHaveLength(Object.keys(routes).length);
  });

  test("describes every operation, parameter, component and field", () => {
    const undescribed: string[] = [];
    const look = (node: unknown, at: string): void => {
      if (typeof node !== "object" || node === null) return;
      const { properties, items, anyOf, description, $ref } = node as Record<string, unknown>;
      // The fields of a selection are told by its item.
      const isTold = $ref !== undefined || /(items|anyOf\.\d+)$|^\w+Selection\./.test(at);
      if (description === undefined && !isTold) undescribed.push(at);
      for (const [name, field] of Object.entries(Object(properties))) look(field, `${at}.${name}`);
      look(items, `${at}.items`);
      for (const [index, one] of Object.entries(Object(anyOf))) look(one, `${at}.anyOf.${index}`);
    };
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) look(schema, name);
    for (const { on, operation } of operations) {
      look({ description: operation.description }, on);
      for (const parameter of operation.parameters ?? []) {
        const { name, schema, description = Object(schema).description ?? Object(schema).$ref } = Object(parameter);
        look({ description }, `${on} ${name}`);
      }
    }
    expect(undescribed).toEqual([]);
  });

  test("shows requests and answers that it allows, recorded from a service; `pnpm examples` records them", () => {
    const unsaidOf = openDocument(JSON.parse(JSON.stringify(document)));
    const headers = new Headers({ "Content-Type": "application/json" });
    for (const { on, path, operation } of operations) {
      const recorded: Readonly<Record<string, unknown>> = Object(examples)[operation.operationId ?? ""] ?? {};
      const { request: sent, ...answers } = recorded;
      for (const [status, body] of Object.entries(answers)) {
        const exchange = { method: on.split(" ")[0] ?? "", path, sent, status: Number(status), headers, body };
        expect([on, status, unsaidOf(exchange)]).toEqual([on, status, []]);
      }
      const answersData = Object.values(routes).some(
        (route) => route.on === on && ("data" in route.answers || "list" in route.answers),
      );
      expect([on, Object.keys(answers).some((status) => status < "300")]).toEqual([on, answersData]);
    }
  });

  test("refers only to components that exist, and has no component that is unused", () => {
    const refs = new Set(JSON.stringify(document).match(/(?<="\$ref":")[^"]+/g));
    const { schemas, headers, parameters, responses } = document.components ?? {};
    const known = Object.entries({ schemas, headers, parameters, responses }).flatMap(([kind, of]) =>
      Object.keys(of ?? {}).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...refs].toSorted()).toEqual(known.toSorted());
  });

  test.each(operations)("$on declares its path parameters, its key and how it fails", ({ path, operation }) => {
    const declared = (operation.parameters ?? []).filter((one) => "in" in one && one.in === "path");
    const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(declared).toEqual(placeholders.map((name) => expect.objectContaining({ name, required: true })));
    const mayBeRefused = (operation.security ?? []).length > 0;
    expect(Object.keys(operation.responses ?? {})).toEqual(
      expect.arrayContaining(mayBeRefused ? ["401", "500"] : ["500"]),
    );
    expect(operation.tags).toHaveLength(1);
  });

  test("names the header that submit takes, the part that an upload takes, and the parameters of lists", () => {
    const find = (name: string) => operations.find(({ operation }) => operation.operationId === name)?.operation;
    const submit = find("submitPaymentIntent")?.parameters;
    expect(submit).toContainEqual(expect.objectContaining({ in: "header", name: "Idempotency-Key" }));
    expect(document.components?.schemas?.["UploadDocumentForm"]).toHaveProperty("properties.file");
    const list = ["filter", "filter[email]", "skip", "cursor", "limit", "sort", "projection", "X-Explain"];
    const named = find("listStudents")?.parameters?.map((one) => ("name" in one ? one.name : ""));
    expect(named?.toSorted()).toEqual(list.toSorted());
  });
});

describe("generators of clients can read the document", () => {
  const schemas = Object.entries(document.components?.schemas ?? {});

  test("it is small enough to be loaded at a click", () => {
    expect(JSON.stringify(document).length).toBeLessThan(500_000);
    expect(JSON.stringify(document, null, 1).length).toBeLessThan(800_000);
  });

  test("no flag is a constant, no integer has a bound of JavaScript, and no choice is an object without a name", () => {
    const text = JSON.stringify(schemas);
    expect(text).not.toMatch(/"const":(?:true|false)|9007199254740991/);
    expect(text).not.toMatch(/"anyOf":\[(?:\{[^{}]*\},)*\{[^{}]*"properties"/);
  });

  test("every decimal has 64 bits, no parameter is a file, and a tag of webhooks is none of paths", () => {
    const narrow: unknown[] = [];
    JSON.stringify(document, (_, node) => {
      if (node?.type === "number" && node.format !== "double") narrow.push(node);
      return node;
    });
    expect(narrow).toEqual([]);
    const { paths = {}, webhooks = {}, components } = document;
    expect(JSON.stringify([paths, components?.parameters])).not.toContain("contentMediaType");
    const tagsOf = (items: object): string[] =>
      Object.values(items).flatMap((item) =>
        Object.values<oas31.OperationObject>(item).flatMap(({ tags = [] }) => tags),
      );
    expect(tagsOf(webhooks).filter((tag) => tagsOf(paths).includes(tag))).toEqual([]);
  });

  test("no schema is named as a constructor of another is in Go", () => {
    const names = new Set(schemas.map(([name]) => name));
    expect([...names].filter((name) => names.has(`New${name}`))).toEqual([]);
  });
});

/** A failure of each kind, with everything that it may tell. */
const failures: { readonly [Kind in Failure["kind"]]: Extract<Failure, { kind: Kind }> } = {
  shape: { kind: "shape", problems: ["body must not be empty", "name is required"] },
  requirements: {
    kind: "requirements",
    missing: [{ path: "recipients", reason: "Nobody is paid", satisfiedBy: "a recipient", example: [{}] }],
    reason: "The rail takes fewer",
  },
  under_review: {
    kind: "under_review",
    missing: [{ path: "underReview", reason: "r", satisfiedBy: "s", example: [] }],
  },
  permission: { kind: "permission", reason: "No", legacyConstraint: "batch", failedRequirements: ["AllowBulkPayment"] },
  unauthorized: { kind: "unauthorized" },
  tenant_suspended: { kind: "tenant_suspended" },
  not_found: { kind: "not_found", resource: "student" },
  method_not_allowed: { kind: "method_not_allowed", allow: ["GET"] },
  wrong_status: { kind: "wrong_status", status: "completed" },
  in_flight: { kind: "in_flight", status: "draft", retryAfterSeconds: 1 },
  preview_changed: { kind: "preview_changed", status: "draft", previewHash: "0".repeat(64) },
  in_recovery: { kind: "in_recovery", status: "requires_recovery" },
  endpoint_limit: { kind: "endpoint_limit", limit: 10 },
  replay_running: { kind: "replay_running" },
  stale: { kind: "stale" },
  commission_state: { kind: "commission_state", reason: "No", status: "paid", paymentIds: [1] },
  too_large: { kind: "too_large", limitBytes: 1 },
  media_type: { kind: "media_type", expected: ["application/json"] },
  content_encoding: { kind: "content_encoding", contentEncoding: "gzip" },
  key_reused: { kind: "key_reused" },
  quote_expired: { kind: "quote_expired", quoteId: "q1", expiresOn: "2026-01-01T00:00:00.000Z" },
  quote_not_found: { kind: "quote_not_found", quoteId: "q1" },
  pair_unavailable: { kind: "pair_unavailable", fromCurrency: "BRL", toCurrency: "AUD", reason: "No" },
  duplicate_transaction: { kind: "duplicate_transaction" },
  link_not_found: { kind: "link_not_found" },
  link_closed: { kind: "link_closed" },
  link_held: { kind: "link_held", retryAfterSeconds: 1 },
  link_under_review: { kind: "link_under_review" },
  hold_kept: { kind: "hold_kept", retryAfterSeconds: 1 },
  money_received: { kind: "money_received" },
  link_crowded: { kind: "link_crowded", limit: 50 },
  rail_refused: { kind: "rail_refused", reason: "No" },
  not_simulated: { kind: "not_simulated" },
  cannot_happen: { kind: "cannot_happen", reason: "No", status: "completed" },
  rail_unavailable: { kind: "rail_unavailable" },
  outcome_unknown: { kind: "outcome_unknown" },
  rate_limited: { kind: "rate_limited", retryAfterSeconds: 1 },
  upload_budget: { kind: "upload_budget", limitBytes: 1, endsOn: "2026-01-01T00:00:00.000Z", retryAfterSeconds: 1 },
  maintenance: { kind: "maintenance", retryAfterSeconds: 1 },
  not_implemented: { kind: "not_implemented" },
  busy: { kind: "busy", retryAfterSeconds: 1 },
  store_failed: { kind: "store_failed", retryAfterSeconds: 5 },
};

describe("the error schemas", () => {
  test.each(Object.values(failures))("$kind is answered as its schema says, and with nothing else", (failure) => {
    // Parsing drops what a schema does not name.
    const body: unknown = JSON.parse(toErrorAnswer(Object.assign({ secret: "s3cr3t" }, failure), 0).body);
    expect(errorBody(failure.kind).parse(body)).toEqual(body);
  });

  test("a fault of ours is, too", () => {
    const body: unknown = JSON.parse(gatewayError("internal", "r1", 0).body);
    expect(errorBody("internal").parse(body)).toEqual(body);
  });
});

/** The dotted paths of a schema's decimal strings, moments and days, each with the type that lists give it. */
function typesIn(schema: unknown, at: readonly string[] = []): (readonly [path: string, type: string])[] {
  const { $ref, properties, items, anyOf, pattern, format } = Object(schema) as Record<string, unknown>;
  if (typeof $ref === "string") return typesIn(document.components?.schemas?.[$ref.split("/").at(-1) ?? ""], at);
  const isDecimal = (text: string) => new RegExp(String(pattern)).test(text);
  const type = { "date-time": "date", date: "day" }[String(format)];
  if (type !== undefined) return [[at.join("."), type]];
  if (pattern !== undefined && isDecimal("0.25") && !isDecimal("x")) return [[at.join("."), "decimal"]];
  return [
    ...Object.entries(Object(properties)).flatMap(([name, field]) => typesIn(field, [...at, name])),
    ...(items === undefined ? [] : typesIn(items, at)),
    ...Object.values(Object(anyOf)).flatMap((one) => typesIn(one, at)),
  ];
}

/** The answer about one intent alone has these fields: of its hold, and of the recipients of a batch. */
const unlisted = ["hold.until"].concat(
  ["fee", "returnedAt", "waitingUntil", "acceptedAt", "receivedAt", "endedAt"].map((name) => `executions.legs.${name}`),
);

const lists = Object.values(routes).flatMap((route) =>
  "query" in route && "item" in route.answers
    ? [{ kind: route.query.list, on: route.on, item: route.answers.item }]
    : [],
);

test.each(lists)("$on compares every decimal string and every date of its items by its value", ({ kind, item }) => {
  const { id = "" } = item().meta() ?? {};
  const fields: Readonly<Record<string, string>> = listResources[kind].fields;
  const found = typesIn({ $ref: `#/components/schemas/${id}` });
  expect(found.filter(([path, type]) => fields[path] !== type && !unlisted.includes(path))).toEqual([]);
});
