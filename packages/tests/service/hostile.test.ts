import { routes } from "@intents/contract/routes.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { draw, some } from "../suite/sample.ts";
import { newBelongings } from "./belongings.ts";
import { hostileTo } from "./hostile-fixture.ts";
import { openOwnService } from "./service-fixture.ts";

const { client, service } = await openOwnService();
const owned = await newBelongings(client);

const { HOSTILE } = process.env;
const runs = HOSTILE === undefined ? draw(6, 30) : { numRuns: Number(HOSTILE) };

/** Internals: places and names of the code, errors of its runtime and of its stores. */
const INTERNAL =
  /\bat \S+ \(|\.[cm]?[jt]sx?:\d+|node_modules|\b(Type|Range|Syntax|Reference|Zod)Error\b|Exception\b|Cannot read|is not a function|T#\d+#|"[PS]K":|dynamo/i;

test.each(some(Object.values(routes), 5))(
  "whatever is sent to $on is answered or refused, by an envelope or a page, and tells nothing of the inside",
  async (route) => {
    await fc.assert(
      fc.asyncProperty(hostileTo(route, owned), async ({ method, path, options }) => {
        const { status, headers, body, bytes } = await client.call(method, path, options);
        const isReserved = status === 501 && route.errors?.includes("not_implemented");
        if (!isReserved) expect(status).toBeLessThan(500);
        const isJson = headers.get("content-type") === "application/json";
        if (status >= 400 && isJson) expect(body).toMatchObject({ statusCode: status, message: expect.anything() });
        else if (status >= 400) expect(body).toMatch(/<h1[ >]/);
        if (isJson && route.group !== "openapi")
          expect(new TextDecoder().decode(bytes).replaceAll("T#1001#INTENT#x", "")).not.toMatch(INTERNAL);
      }),
      runs,
    );
  },
);

test("the service that was asked all this still serves, and its log holds no fault", async () => {
  const intent = await client.newTuitionIntent();
  expect((await client.submit(intent.id)).status).toBe(200);
  expect(service.output()).not.toContain('"level":"ERROR"');
});
