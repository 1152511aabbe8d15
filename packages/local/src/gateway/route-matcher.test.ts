import type { Route } from "@intents/contract/route.ts";
import { routes } from "@intents/contract/routes.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PROXY_RESOURCE, routeMatcher } from "./route-matcher.ts";

const match = routeMatcher(routes);
const segment = fc.string({ minLength: 1 }).filter((text) => text !== "." && text !== "..");

describe("routeMatcher", () => {
  test.each(Object.values(routes))("$on is found by its path, whatever its parameters are", (route: Route) => {
    const [method = "", resource = ""] = route.on.split(" ");
    const names = [...resource.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const statics = new Set(Object.values(routes).flatMap(({ on }) => on.split(/[ /]/)));
    const values = fc.array(
      segment.filter((text) => !statics.has(text)),
      { minLength: names.length, maxLength: names.length },
    );
    fc.assert(
      fc.property(values, fc.boolean(), (given, slash) => {
        const path = resource.replaceAll(/\{\w+\}/g, () => encodeURIComponent(given.shift() ?? ""));
        const found = match(method, slash && path !== "/" ? `${path}/` : path);
        expect(found.route).toBe(route);
        expect(found.resource).toBe(resource);
        const inPath = path.split("/").filter((_, index) => resource.split("/")[index]?.startsWith("{"));
        expect(Object.values(found.pathParameters ?? {})).toEqual(inPath.map(decodeURIComponent));
        expect(Object.keys(found.pathParameters ?? {})).toEqual(names);
      }),
      { numRuns: 20 },
    );
  });

  test("a static segment wins over a parameter, even where only the parameter declares the method", () => {
    expect(match("POST", "/v2/payment-intents/requirements").route?.on).toBe("POST /v2/payment-intents/requirements");
    const get = match("GET", "/v2/payment-intents/requirements");
    expect([get.resource, get.route]).toEqual(["/v2/payment-intents/requirements", undefined]);
  });

  test("a known resource with an undeclared method keeps its resource and parameters", () => {
    expect(match("DELETE", "/v2/payees/5001")).toEqual({
      resource: "/v2/payees/{id}",
      route: undefined,
      pathParameters: { id: "5001" },
    });
  });

  test.each([
    "//",
    "/v2",
    "/v2/nothing",
    "/v2/payees/1/more",
    "//v2/payees",
    "/v2//payees",
    "/v2/payees//",
    "/V2/payees",
    "/__proto__",
  ])("%s belongs to no route", (path) => {
    const proxy = { resource: PROXY_RESOURCE, route: undefined, pathParameters: { proxy: path.slice(1) } };
    expect(match("GET", path)).toEqual(proxy);
  });

  test("a path that is not properly percent-encoded is refused", () => {
    expect(() => match("GET", "/v2/payees/%zz")).toThrow(URIError);
  });
});
