import type { APIGatewayProxyEvent } from "aws-lambda";
import { describe, expect, test } from "vitest";
import { anonymous, eventFor } from "../../test/event-fixture.ts";
import { sourceAddressOf } from "./source-address.ts";

const SECRET = "only-the-edge-knows";
const EDGE = "203.0.113.7";
const from = (headers: APIGatewayProxyEvent["headers"]) => eventFor("GET /", { ...anonymous(EDGE), headers });
const viewer = { "CloudFront-Viewer-Address": "198.51.100.10:46532" };

describe("the source of a request", () => {
  test.each([
    ["198.51.100.10:46532", "198.51.100.10"],
    ["2001:db8:85a3::8a2e:370:7334:8080", "2001:db8:85a3::8a2e:370:7334"],
    ["[2001:db8::1]:443", "2001:db8::1"],
  ])("is the viewer %s that CloudFront names and vouches for", (address, expected) => {
    const headers = { "X-Origin-Secret": SECRET, "CloudFront-Viewer-Address": address };
    expect(sourceAddressOf(from(headers), ["the-next-one", SECRET])).toBe(expected);
  });

  test.each<[string, Readonly<Record<string, string>>, ...string[]]>([
    ["without a proof", viewer, SECRET],
    ["with an empty proof", { ...viewer, "x-origin-secret": "" }, SECRET],
    ["with a guessed proof", { ...viewer, "x-origin-secret": `${SECRET}!` }, SECRET],
    ["with any proof where there is no CloudFront", { ...viewer, "x-origin-secret": "undefined" }],
    ["with a proof and no viewer", { "x-origin-secret": SECRET }, SECRET],
    ["with a proof and no address", { "x-origin-secret": SECRET, "CloudFront-Viewer-Address": "unknown:1" }, SECRET],
    ["who claims to be forwarded", { "x-origin-secret": SECRET, "X-Forwarded-For": "198.51.100.10" }, SECRET],
  ])("is the address that connected, %s", (_, headers, ...secrets) => {
    expect(sourceAddressOf(from(headers), secrets)).toBe(EDGE);
  });
});
