import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { isPublicAddress, urlProblem } from "./egress.ts";
import { openSender } from "./send.ts";

const abroad = { isLocal: false, own: ["api.example.com"] };
const local = { isLocal: true, own: [] };

describe("an address", () => {
  test.each([
    ...["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "127.0.0.1", "0.0.0.0", "169.254.169.254"],
    ...["100.64.0.1", "100.127.255.255", "192.0.0.1", "198.18.0.1", "203.0.113.9", "224.0.0.1", "255.255.255.255"],
    ...["192.0.2.1", "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.175.48.1", "198.51.100.1", "240.0.0.1"],
    ...["3fff::1", "2620:4f:8000::1"],
    ...["::1", "::", "fc00::1", "fd00:ec2::254", "fe80::1", "ff02::1", "2001:db8::1", "2001::1", "2002:a00:1::"],
    ...["::ffff:10.0.0.1", "::ffff:127.0.0.1", "::10.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::1", "fe80::1%eth0", "x"],
  ])("%s is not for webhooks", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(["8.8.8.8", "172.32.0.1", "100.128.0.1", "11.0.0.1", "2606:4700::1111", "2a00:1450::1"])(
    "%s is",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe("a url", () => {
  test.each([
    ...[
      "http://example.com/",
      "https://example.com:8080/",
      "https://user:pw@example.com/",
      "https://user@example.com/",
      "https://:pw@example.com/",
    ],
    ...["https://127.0.0.1/", "https://localhost/", "https://a.localhost/", "https://2130706433/", "https://0x7f.1/"],
    ...["https://0177.0.0.1/", "https://[::1]/", "https://[::ffff:10.0.0.1]/", "https://169.254.169.254/latest"],
    ...["https://api.example.com/x", "https://intranet/", "ftp://example.com", "file:///etc/passwd", "nothing"],
  ])("%s is refused", (url) => {
    expect(urlProblem(url, abroad)).toMatch(/^url must /);
  });

  test.each(["https://example.com/", "https://example.com:8443/a?b=c", "https://8.8.8.8/", "https://[2606:4700::1]/"])(
    "%s is taken",
    (url) => {
      expect(urlProblem(url, abroad)).toBeUndefined();
    },
  );

  test("of this machine is taken on this machine alone", () => {
    for (const url of ["http://localhost:4242/hook", "http://127.0.0.1:1/", "http://[::1]:9/"]) {
      expect(urlProblem(url, local)).toBeUndefined();
      expect(urlProblem(url, abroad)).toBeDefined();
    }
    expect(urlProblem("http://192.168.1.1/", local)).toBeDefined();
  });
});

describe("a request", () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? "");
    const answers: Readonly<Record<string, () => void>> = {
      "/moved": () => response.writeHead(307, { location: "/elsewhere" }).end(),
      "/long": () => response.end("xü".repeat(2_000_000)),
      "/wait": () => response.writeHead(503, { "retry-after": "120" }).end("later"),
      "/until": () => response.writeHead(503, { "retry-after": new Date(Date.now() + 36_000_000).toUTCString() }).end(),
      "/sometime": () => response.writeHead(503, { "retry-after": "sometime" }).end(),
      "/cut": () => request.socket.destroy(),
    };
    (answers[request.url ?? ""] ?? (() => response.end("ok")))();
  });
  const listening = new Promise<number>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)),
  );
  afterAll(() => server.closeAllConnections());
  const outgoing = async (path: string, host = "localhost") => ({
    ...{ url: `http://${host}:${await listening}${path}`, headers: {}, body: "{}" },
  });

  /** Resolves a name to one address after the other, or to several at once. */
  const resolving = (...addresses: readonly string[]) => {
    let turn = 0;
    const lookup = (_name: string, _options: object, tell: (error: null, found: object[]) => void) => {
      const found = addresses[Math.min(turn++, addresses.length - 1)]?.split(" ") ?? [];
      tell(
        null,
        found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    };
    return lookup as never;
  };

  test("is answered with the status and the beginning of the body, and a redirect is an answer", async () => {
    const send = openSender(local);
    expect(await send(await outgoing("/fine"))).toEqual({ status: 200, body: "ok", retryAfterMs: 0 });
    expect(await send(await outgoing("/wait"))).toEqual({ status: 503, body: "later", retryAfterMs: 120_000 });
    const until = await send(await outgoing("/until"));
    const waitMs = until.status === undefined ? 0 : until.retryAfterMs;
    expect(Math.abs(waitMs - 36_000_000)).toBeLessThan(600_000);
    expect(await send(await outgoing("/sometime"))).toMatchObject({ status: 503, retryAfterMs: 0 });
    expect(await send(await outgoing("/moved"))).toMatchObject({ status: 307 });
    expect(seen).not.toContain("/elsewhere");
    expect(await send(await outgoing("/long"))).toMatchObject({ status: 200, body: `${"xü".repeat(341)}x` });
    expect(await send(await outgoing("/cut"))).toEqual({ problem: "ECONNRESET" });
  });

  test("to a name that resolves to a forbidden address connects to nothing, the second time as the first", async () => {
    const before = seen.length;
    const send = openSender(local, resolving("127.0.0.1", "10.0.0.1", "::1 10.0.0.1", "::ffff:169.254.169.254"));
    const one = { ...(await outgoing("/rebind")), headers: { connection: "close" } };
    expect(await send(one)).toMatchObject({ status: 200 });
    for (let times = 0; times < 3; times++) expect(await send(one)).toEqual({ problem: "ADDRESS_NOT_ALLOWED" });
    expect(seen).toHaveLength(before + 1);
    const loopback = openSender({ isLocal: true, own: [] }, resolving("127.0.0.1"));
    expect(await loopback({ url: "https://example.com/", headers: {}, body: "" })).toEqual({
      problem: "ADDRESS_NOT_ALLOWED",
    });
    expect(await openSender(abroad)({ url: "https://10.0.0.1/", headers: {}, body: "" })).toEqual({
      problem: "ADDRESS_NOT_ALLOWED",
    });
  });
});
