import { expect, test } from "vitest";
import { toProblem } from "./problem.ts";

test.each([
  [404, { code: "[LNK0001]" }, "missing"],
  [410, { code: "[LNK0002]" }, "closed"],
  [409, { code: "[LNK0003]" }, "held"],
  [409, { code: "[LNK0006]" }, "linkReviewed"],
  [409, { code: "[LNK0007]" }, "received"],
  [422, { code: "[QOT0001]" }, "quote_gone"],
  [404, { code: "[QOT0002]" }, "quote_gone"],
  [422, { code: "[QOT0003]" }, "country"],
  [404, { code: "[GEN9003]" }, "not_found"],
  [502, { code: "[PAY0002]" }, "unsure"],
  [503, { code: "[PAY0001]" }, "unavailable"],
  [413, {}, "too_large"],
  [415, {}, "media_type"],
  [429, {}, "tooMany"],
  [503, {}, "paused"],
  [503, { code: "[GEN9000]" }, "fault"],
  [500, { code: "[GEN9000]" }, "fault"],
  // The gateway gave up waiting, while the function behind it may still have succeeded.
  [504, "<html>", "unsure"],
  [0, undefined, "offline"],
  // A network that knows nothing of the link says nothing of a payment.
  [404, undefined, "offline"],
  [410, "<html>", "offline"],
  [403, {}, "offline"],
])("%i %j is %s", (status, body, kind) => {
  expect(toProblem(status, body).kind).toBe(kind);
});

test("a session that another request is opening may be requested again; one whose payment was refused may not", () => {
  expect(toProblem(409, { code: "[GEN9009]" }, "3")).toMatchObject({ kind: "unsure", retryAfterSeconds: 3 });
  expect(toProblem(409, { code: "[GEN9009]" })).toMatchObject({ kind: "quote_gone" });
});

test("both kinds of 400 name what is wrong in the body", () => {
  const message = ["payerDetails.email must be an email address", "amount is required"];
  expect(toProblem(400, { message }).paths).toEqual(["payerDetails.email", "amount"]);
  const details = { missingRequirements: ["documentIds.0"] };
  expect(toProblem(400, { code: "[GEN9002]", message: "no", details })).toMatchObject({
    kind: "shape",
    paths: ["documentIds.0"],
  });
});
