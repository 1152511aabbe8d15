import { expect, test } from "vitest";
import { scopeOf } from "./route.ts";
import { routes } from "./routes.ts";

const keyed = Object.values(routes).filter(({ auth }) => auth === "key");
const changing = keyed.filter(({ on }) => !on.startsWith("GET "));
const of = (scope: string) => changing.filter((route) => scopeOf(route) === scope).map(({ on }) => on);

test("a key that may only read reaches every GET, and what is asked with a body and changes nothing", () => {
  for (const route of keyed.filter(({ on }) => on.startsWith("GET "))) expect(scopeOf(route)).toBe("read");
  expect(of("read").toSorted()).toEqual([
    "POST /v2/fx-rate",
    "POST /v2/payment-intents/requirements",
    "POST /v2/payment-intents/{id}/dry-run",
  ]);
});

test("what brings money nearer to somebody needs the scope to pay: a submit, and what asks for commissions", () => {
  expect(of("pay").toSorted()).toEqual([
    "POST /v2/commissions/requests",
    "POST /v2/payment-intents/{id}/submit",
    "PUT /v2/commissions/requests/{id}",
  ]);
});
