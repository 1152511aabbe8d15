import { Logger } from "@aws-lambda-powertools/logger";
import type { Context, SQSEvent } from "aws-lambda";
import { afterAll, expect, test, vi } from "vitest";

// Vitest has a setting of this name for its own use.
vi.stubEnv("BASE_URL", "http://127.0.0.1:3000");
const { handler } = await import("./advance-intent.ts");
const said = vi.spyOn(Logger.prototype, "error").mockImplementation(() => undefined);
afterAll(() => {
  vi.unstubAllEnvs();
  said.mockRestore();
});

const context = { getRemainingTimeInMillis: () => 60_000 } as Context;
const deliver = (...bodies: readonly string[]) =>
  handler({ Records: bodies.map((body, index) => ({ messageId: String(index), body })) } as SQSEvent, context);

test("a message of a kind that only another version knows comes back, as one that cannot be read", async () => {
  expect(await deliver('{"kind":"settlement","intentId":"i"}', '{"kind":"toString"}', "{}", "no message")).toEqual({
    batchItemFailures: ["0", "1", "2", "3"].map((itemIdentifier) => ({ itemIdentifier })),
  });
  expect(said).toHaveBeenCalledTimes(4);
});
