import { expect, test } from "vitest";
import * as z from "zod";
import { paymentIntentRoutes } from "./payment-intents.ts";
import { toProblems } from "./problems.ts";

test.each([
  [{ order: 10_000_000 }, "recipients.0.order must be at most 9999999"],
  [{ order: 1.5 }, "recipients.0.order must be an integer"],
  [{ connectorPayeeId: 1e20 }, "recipients.0.connectorPayeeId must be at most 9007199254740991"],
])("a number that a recipient cannot have is refused in plain words: %j", (recipient, problem) => {
  const body = { ...Object(paymentIntentRoutes.createPaymentIntent.example), recipients: [recipient] };
  const { error = new z.ZodError([]) } = paymentIntentRoutes.createPaymentIntent.body().safeParse(body);
  expect(toProblems(error, "body", body)).toEqual([problem]);
});
