import { defineRoutes, lazily } from "@intents/contract/route.ts";
import type { ok } from "@intents/domain/result.ts";
import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import type { HandlerResult, UndeclaredFields } from "./handler-result.ts";

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

/** The undeclared fields of a handler that answers with `Value`. */
type FieldsOf<Value> = UndeclaredFields<Routes, { getThing: () => Promise<ReturnType<typeof ok<Value>>> }>["named"];

test("a handler answers with the fields that its route declares, and no other", () => {
  expectTypeOf<FieldsOf<{ id: string }>>().toBeNever();
  expectTypeOf<FieldsOf<{ id: string; parts?: { n: number }[] }>>().toBeNever();
  expectTypeOf<FieldsOf<{ id: string; tenantId: string }>>().toEqualTypeOf<"getThing does not declare tenantId">();
  type Parts = { id: string; parts: readonly { n: number; leaseUntilMs: number }[] };
  expectTypeOf<FieldsOf<Parts>>().toEqualTypeOf<"getThing does not declare parts.leaseUntilMs">();
  expectTypeOf<HandlerResult<Routes["getThing"]>>().toEqualTypeOf<{
    readonly id: string;
    readonly parts?: readonly { readonly n: number }[];
  }>();
});
