import type { Route } from "@intents/contract/route.ts";
import { routes } from "@intents/contract/routes.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { draw, some } from "../suite/sample.ts";
import { bodyOf, newBelongings, pathOf, requestOf } from "./belongings.ts";
import { expectEnvelope, expectNotice } from "./refusals.ts";
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

/** Bodies that may be wrong in any way: any JSON, any text, and good bodies with a part replaced. */
function strangeBodies(route: Route): fc.Arbitrary<string> {
  const good = bodyOf(route, owned) ?? {};
  const paths = leavesOf(good, []);
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.constantFrom(...nasty),
  );
  const mutated = fc
    .tuple(
      fc.subarray(paths, { maxLength: Math.min(3, paths.length) }),
      fc.array(value, { minLength: 3, maxLength: 3 }),
    )
    .map(([chosen, values]) =>
      chosen.reduce<unknown>((body, path, index) => withValue(body, path, values[index]), good),
    );
  return fc.oneof(
    { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
    { weight: 2, arbitrary: fc.json({ maxDepth: 5 }) },
    { weight: 6, arbitrary: mutated.map((body) => JSON.stringify(body) ?? "") },
  );
}

const nasty = [
  "",
  "0",
  "-1",
  "1e400",
  "NaN",
  "\ud800",
  "a\u0000",
  "__proto__",
  "9".repeat(400),
  "0.".padEnd(100, "3"),
  "2024-02-30",
  "🏴",
  "T#1001#",
  1e308,
  5e-324,
  Number.MAX_SAFE_INTEGER,
  -0,
  2 ** 53,
  0.1 + 0.2,
  [],
  {},
  [[]],
  null,
  true,
];

type Path = readonly string[];

const leavesOf = (node: unknown, at: Path): Path[] =>
  typeof node === "object" && node !== null
    ? [at, ...Object.entries(node).flatMap(([key, child]) => leavesOf(child, [...at, key]))].filter(
        (path) => path.length > 0,
      )
    : [at];

function withValue(node: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof node !== "object" || node === null) return node;
  const copy: object = Array.isArray(node) ? [...node] : { ...node };
  return Object.assign(copy, { [key]: withValue((node as Record<string, unknown>)[key], rest, value) });
}

const taking = all.filter((route) => methodOf(route) !== "GET");

describe("whatever is sent", () => {
  test.each(some(taking, 5))(
    "$on never answers 5xx, and never without an envelope or, on a page, a notice",
    async (route) => {
      const headers = route.form === "multipart" ? { "Content-Type": "multipart/form-data; boundary=b" } : {};
      const path = pathOf(route, owned);
      await fc.assert(
        fc.asyncProperty(strangeBodies(route), async (raw) => {
          const reply = await client.call(methodOf(route), path, { raw, headers });
          const { status, body } = reply;
          if (status >= 500) throw new Error(`${status} ${JSON.stringify(body)}`);
          if (status >= 400 && "page" in route.answers)
            expectNotice(reply, status, "This page cannot be opened like this");
          else if (status >= 400) expect(body).toMatchObject({ statusCode: status, message: expect.anything() });
        }),
        draw(6, 30),
      );
      expect((await client.call("GET", "/v2/users/me")).status).toBe(200);
    },
  );

  test("no query of a list answers 5xx", async () => {
    const lists = all.filter(({ answers }) => "list" in answers).map(({ on }) => on.slice("GET ".length));
    const name = fc.constantFrom(
      "filter[status]",
      "filter[_id]",
      "filter.email",
      "limit",
      "skip",
      "sort",
      "filter",
      "filter[a][$ne]",
      "filter[__proto__][x]",
      "[",
      "",
    );
    const pair = fc.tuple(
      fc.oneof(name, fc.string({ unit: "grapheme" })),
      fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("0", "1", "draft", "%00")),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...lists), fc.array(pair, { maxLength: 5 }), async (path, pairs) => {
        const query = pairs.map(
          ([key, value]) => `${encodeURIComponent(key.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`,
        );
        const { status, body } = await client.call("GET", `${path}?${query.join("&")}`);
        if (status >= 500) throw new Error(`${status} ${JSON.stringify(body)}`);
      }),
      draw(40, 200),
    );
  });

  test("is no fault to the service: its log holds none", () => {
    expect(service.output()).not.toMatch(/"level":"ERROR"|Error:/);
  });

  test("is logged by its route, and without the token or secret that it came with", () => {
    const log = service
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{"));
    const isLogged = (part: string) => log.some((line) => line.includes(part));
    expect(all.map(({ on }) => on).filter((on) => !isLogged(`"${on}"`))).toEqual([]);
    const { link, checkoutToken, expiring, secret } = owned;
    const told = [link.token, checkoutToken, expiring.token, secret].filter((word) => service.output().includes(word));
    // The service's first lines tell the demo's key.
    expect([...told, ...["demo-secret"].filter(isLogged)]).toEqual([]);
  });
});
