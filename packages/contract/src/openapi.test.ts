import { describe, expect, test } from "vitest";
import type { oas31 } from "zod-openapi";
import { ErrorEnvelope, ShapeError } from "./error-bodies.ts";
import { gatewayError, toErrorAnswer } from "./errors.ts";
import { toOpenApi } from "./openapi.ts";
import { routes } from "./routes.ts";

const document = toOpenApi(routes);
const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]: [string, oas31.OperationObject]) => ({
    on: `${method.toUpperCase()} ${path}`,
    path,
    operation,
  })),
);

test("docs/openapi.json is that of the route table; `pnpm run openapi` writes it", async () => {
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot("../../../docs/openapi.json");
});

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

  test("refers only to components that exist, and has no component that is unused", () => {
    const refs = new Set(JSON.stringify(document).match(/(?<="\$ref":")[^"]+/g));
    const schemas = Object.keys(document.components?.schemas ?? {}).map((name) => `#/components/schemas/${name}`);
    expect([...refs].toSorted()).toEqual(schemas.toSorted());
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
    const upload = "requestBody.content.multipart/form-data.schema.properties.file";
    expect(find("uploadDocument")).toHaveProperty(upload);
    const list = ["filter", "skip", "cursor", "limit", "sort", "projection"].map((name) =>
      expect.objectContaining({ in: "query", name }),
    );
    const explain = expect.objectContaining({ in: "header", name: "X-Explain" });
    expect(find("listStudents")?.parameters).toEqual([...list, explain]);
  });
});

describe("the error schemas", () => {
  test("are those that errors are answered in", () => {
    const shape = toErrorAnswer({ kind: "shape", problems: ["body must not be empty"] }, 0);
    expect(ShapeError.strict().parse(JSON.parse(shape.body))).toEqual(JSON.parse(shape.body));
    const others = [
      toErrorAnswer({ kind: "quote_not_found", quoteId: "q1" }, 0),
      toErrorAnswer({ kind: "busy", retryAfterSeconds: 1 }, 0),
      gatewayError("internal", "r1", 0),
    ];
    for (const { body } of others) expect(ErrorEnvelope.strict().parse(JSON.parse(body))).toEqual(JSON.parse(body));
  });
});
