import { defineRoutes, lazily } from "@intents/contract/route.ts";
import type { ok } from "@intents/domain/result.ts";
import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import type { HandlerResult, OnlyDeclared } from "./handler-result.ts";

const routes = defineRoutes({
  getThing: {
    on: "GET /v2/things/{id}",
    group: "parties",
    summary: "",
    description: "",
    auth: "key",
    answers: {
      status: 200,
      data: lazily(() => z.object({ id: z.string(), parts: z.array(z.object({ n: z.int() })).exactOptional() })),
    },
  },
});
type Routes = typeof routes;

/** The check of a handler that tells `Value`. */
type CheckOf<Value> = OnlyDeclared<Routes, { getThing: () => Promise<ReturnType<typeof ok<Value>>> }>["getThing"];

test("a handler tells what the contract names, and nothing else", () => {
  expectTypeOf<CheckOf<{ id: string }>>().toBeUnknown();
  expectTypeOf<CheckOf<{ id: string; parts?: { n: number }[] }>>().toBeUnknown();
  expectTypeOf<CheckOf<{ id: string; tenantId: string }>>().toEqualTypeOf<{ undeclared: "tenantId" }>();
  expectTypeOf<CheckOf<{ id: string; parts: readonly { n: number; leaseUntilMs: number }[] }>>().toEqualTypeOf<{
    undeclared: "parts.leaseUntilMs";
  }>();
  expectTypeOf<HandlerResult<Routes["getThing"]>>().toEqualTypeOf<{
    readonly id: string;
    readonly parts?: readonly { readonly n: number }[];
  }>();
});
