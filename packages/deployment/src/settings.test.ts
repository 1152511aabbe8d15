import { describe, expect, test } from "vitest";
import { parseSettings } from "./settings.ts";

describe("CONNECTOR_FORMER_URLS", () => {
  test.each([
    [undefined, []],
    ["", []],
    ["https://rail.example/v1/", ["https://rail.example/v1"]],
    ["https://rail.example/v1  http://127.0.0.1:9", ["https://rail.example/v1", "http://127.0.0.1:9"]],
  ])("of %j is %j", (CONNECTOR_FORMER_URLS, expected) => {
    const parsed = parseSettings({ CONNECTOR_FORMER_URLS });
    expect(parsed.CONNECTOR_FORMER_URLS).toEqual(expected);
    // A command gets the list from the environment of the service, as text again.
    expect(parseSettings({ CONNECTOR_FORMER_URLS: expected.join(" ") })).toEqual(parsed);
  });

  test.each([
    ["rail.example", "must be an http or https address"],
    ["https://rail.example ftp://old.example", "must be an http or https address"],
    ["https://rail.example http://old.example", "must be an https address"],
    ["https://rail.example, https://old.example", "must have spaces between its addresses"],
  ])("of %j is refused by its name: it %s", (CONNECTOR_FORMER_URLS, problem) => {
    expect(() => parseSettings({ CONNECTOR_FORMER_URLS })).toThrow(`CONNECTOR_FORMER_URLS: ${problem}`);
  });
});

describe("a rail behind HTTP", () => {
  const secret = "s".repeat(32);
  test.each([
    ["https://rail.example", secret],
    ["http://127.0.0.1:9000", "s"],
    ["http://localhost:9000", "s"],
    ["http://[::1]:9000/v1", "s"],
  ])("may be at %s with the secret %s", (CONNECTOR_URL, CONNECTOR_SECRET) => {
    expect(parseSettings({ CONNECTOR_URL, CONNECTOR_SECRET })).toMatchObject({ CONNECTOR_URL, CONNECTOR_SECRET });
  });

  test.each(["http://rail.example", "http://127.0.0.1.rail.example", "http://10.0.0.1"])(
    "may not be at %s, where others listen",
    (CONNECTOR_URL) => {
      expect(() => parseSettings({ CONNECTOR_URL })).toThrow("CONNECTOR_URL: must be an https address");
    },
  );

  test.each([{ CONNECTOR_URL: "https://rail.example" }, { CONNECTOR_FORMER_URLS: "https://rail.example" }])(
    "may not have a secret of 31 characters: %j",
    (rail) => {
      const settings = { ...rail, CONNECTOR_SECRET: secret.slice(1) };
      expect(() => parseSettings(settings)).toThrow("CONNECTOR_SECRET: must have at least 32 characters");
    },
  );
});
