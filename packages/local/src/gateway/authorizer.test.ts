import { afterEach, expect, test, vi } from "vitest";
import { permitFor, startTestGateway } from "../../test/gateway-fixture.ts";

type Gateway = Awaited<ReturnType<typeof startTestGateway>>;
let gateway: Gateway | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await gateway?.stop();
});

async function start(authorizer?: () => unknown): Promise<Gateway> {
  gateway = await startTestGateway(authorizer && { authorizer });
  return gateway;
}
const get = (url: string, key?: string) =>
  fetch(`${url}/v2/things/7`, key === undefined ? {} : { headers: { "X-API-Key": key } });

test("a permitted key reaches the function, with the authorizer's context as strings", async () => {
  const { url, calls } = await start();
  expect((await get(url, "demo:s")).status).toBe(200);
  expect(calls.payees[0]!.requestContext.authorizer).toEqual({
    principalId: "someone",
    tenantId: "1001",
    admin: "true",
  });
  expect(calls.authorizer[0]).toMatchObject({
    type: "REQUEST",
    methodArn: expect.stringMatching(/^arn:aws:execute-api:us-east-1:000000000000:\w+\/local\/GET\/v2\/things\/7$/),
    resource: "/v2/things/{id}",
    pathParameters: { id: "7" },
    headers: { "X-API-Key": "demo:s" },
  });
});

test("without a key the authorizer is not asked, and the answer is 401", async () => {
  const { url, calls } = await start();
  expect((await get(url)).status).toBe(401);
  expect((await get(url, "")).status).toBe(401);
  expect([calls.authorizer, calls.payees]).toEqual([[], []]);
});

test("a permit holds for its key alone and for 60 seconds; after a refusal the authorizer is asked each time", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 0 });
  const { url, calls } = await start();
  await get(url, "one");
  await get(url, "one");
  await get(url, "two");
  expect(calls.authorizer).toHaveLength(2);
  vi.setSystemTime(59_999);
  await get(url, "one");
  expect(calls.authorizer).toHaveLength(2);
  vi.setSystemTime(60_000);
  await get(url, "one");
  expect(calls.authorizer).toHaveLength(3);
});

test.each([
  ["Unauthorized", 401, () => Promise.reject(new Error("Unauthorized"))],
  ["another fault", 500, () => Promise.reject(new Error("no table"))],
  ["no policy", 500, () => ({ principalId: "x" })],
  ["an object in its context", 500, () => permitFor(undefined, { list: [] })],
  ["a policy for another method", 401, () => permitFor("arn:aws:execute-api:*/local/POST/*")],
])("an authorizer that answers %s means %i", async (_name, status, authorizer) => {
  const { url, calls } = await start(authorizer);
  expect((await get(url, "demo:s")).status).toBe(status);
  await get(url, "demo:s");
  expect(calls.payees).toEqual([]);
});
