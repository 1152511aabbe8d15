import type { Route } from "@intents/contract/route.ts";
import { routes } from "@intents/contract/routes.ts";
import { describe, expect, test } from "vitest";
import { newBelongings, pathOf, requestOf } from "./belongings.ts";
import { expectEnvelope } from "./refusals.ts";
import { openOwnService } from "./service-fixture.ts";

const { client, service } = await openOwnService({ LOG_LEVEL: "INFO" });
const owned = await newBelongings(client);

const all = Object.values(routes).filter(({ errors = [] }) => !errors.includes("not_implemented"));
const reserved = Object.values(routes).filter((route) => !all.includes(route));
const methodOf = ({ on }: Route): string => on.slice(0, on.indexOf(" "));

describe("every route", () => {
  test.each(all)("$on answers a good request as the contract says, to be kept as long as it says", async (route) => {
    const reply = await client.call<Record<string, unknown>>(
      methodOf(route),
      pathOf(route, owned),
      requestOf(route, owned),
    );
    const { answers } = route;
    expect({ status: reply.status, body: reply.status < 300 || reply.body }).toEqual({
      status: answers.status,
      body: true,
    });
    const type = reply.headers.get("content-type");
    if ("data" in answers) {
      expect(Object.keys(reply.body)).toEqual(["data"]);
      expect(answers.data().safeParse(reply.body["data"]).error).toBeUndefined();
      expect(type).toBe("application/json");
    } else if ("list" in answers) {
      // A feed goes on for ever, and tells of what happened some seconds ago.
      const isFeed = answers.feed === true;
      expect(Object.keys(reply.body).toSorted()).toEqual(["count", "data", "hasMore", isFeed ? "nextCursor" : "total"]);
      const { [answers.list]: items, ...rest } = reply.body["data"] as Record<string, unknown[]>;
      expect(rest).toEqual({});
      if (!isFeed) expect(items?.length).toBeGreaterThan(0);
      for (const item of items ?? []) expect(answers.item().safeParse(item).error).toBeUndefined();
    } else if ("file" in answers) {
      expect(answers.file).toContain(type);
    } else if ("asset" in answers) {
      expect(answers.asset).toContain(type?.replace("; charset=utf-8", ""));
    } else if ("page" in answers) {
      expect(type).toContain(answers.page);
      expect(reply.headers.get("content-security-policy")).toContain("default-src 'none'");
    }
    expect(kept(route)).toContain(reply.headers.get("cache-control"));
  });
});

/** How long a client may keep a route's answer: what its header may say. */
function kept({ cacheSeconds, shared, answers }: Route): readonly (string | null)[] {
  if (shared !== undefined) return [`public, max-age=0, s-maxage=${shared.seconds}`];
  const isText = "asset" in answers;
  if (cacheSeconds !== undefined) return [`${isText ? "public" : "private"}, max-age=${cacheSeconds}`];
  return isText ? ["public, max-age=31536000, immutable"] : [null, "no-store"];
}

test.each(reserved)("$on is reserved: 501, with a key and without", async ({ on }) => {
  const [method = "", path = ""] = on.split(" ");
  for (const key of ["demo:demo-secret", null]) {
    expectEnvelope(await client.call(method, path.replace(/\{\w+\}/, "x1"), { key }), 501, "[GEN9501]");
  }
});

test("a request is logged by its route, and without the token or secret that it came with", () => {
  const log = service
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"));
  const isLogged = (part: string) => log.some((line) => line.includes(part));
  expect(all.map(({ on }) => on).filter((on) => !isLogged(`"${on}"`))).toEqual([]);
  const { link, checkoutToken, expiring, secret } = owned;
  const logged = [link.token, checkoutToken, expiring.token, secret].filter((word) => service.output().includes(word));
  // The service's first lines tell the demo's key.
  expect([...logged, ...["demo-secret"].filter(isLogged)]).toEqual([]);
});
