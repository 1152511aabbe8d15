import { describe, expect, test } from "vitest";
import { parseSettings, toText } from "./settings.ts";

describe("CONNECTOR_FORMER_URLS", () => {
  test.each([
    [undefined, {}],
    ["", {}],
    ["https://rail.example/v1/", { http: ["https://rail.example/v1"] }],
    ["http=https://rail.example/v1  http://127.0.0.1:9", { http: ["https://rail.example/v1", "http://127.0.0.1:9"] }],
  ])("of %j is %j", (CONNECTOR_FORMER_URLS, expected) => {
    expect(parseSettings({ CONNECTOR_FORMER_URLS }).CONNECTOR_FORMER_URLS).toEqual(expected);
    expect(parseSettings({ CONNECTOR_FORMER_URLS: toText(expected) }).CONNECTOR_FORMER_URLS).toEqual(expected);
  });

  test.each([
    ["rail.example", "must be an http or https address"],
    ["https://rail.example ftp://old.example", "must be an http or https address"],
    ["https://rail.example http://old.example", "must be an https address"],
    ["https://rail.example, https://old.example", "must have spaces between its addresses"],
    ["north=https://rail.example", "must name each rail once, as in http=…"],
    ["http=https://rail.example http=https://old.example", "must name each rail once, as in http=…"],
  ])("of %j is refused by its name: it %s", (CONNECTOR_FORMER_URLS, problem) => {
    expect(() => parseSettings({ CONNECTOR_FORMER_URLS })).toThrow(`CONNECTOR_FORMER_URLS: ${problem}`);
  });
});

describe("a rail behind HTTP", () => {
  test.each(["https://rail.example", "http://127.0.0.1:9000", "http://localhost:9000", "http://[::1]:9000/v1"])(
    "may be at %s",
    (CONNECTOR_URL) => {
      expect(parseSettings({ CONNECTOR_URL }).CONNECTOR_URL).toEqual({ http: CONNECTOR_URL });
    },
  );

  test.each(["http://rail.example", "http://127.0.0.1.rail.example", "http://10.0.0.1"])(
    "may not be at %s, where others listen",
    (CONNECTOR_URL) => {
      expect(() => parseSettings({ CONNECTOR_URL })).toThrow("CONNECTOR_URL: must be an https address");
    },
  );
});

describe("how long documents are kept", () => {
  test("is five years, or whole days as the stage says", () => {
    expect(parseSettings({ SAVED_DOCUMENT_DAYS: "365" })).toMatchObject({
      PAYMENT_DOCUMENT_DAYS: 1825,
      SAVED_DOCUMENT_DAYS: 365,
    });
  });

  test.each(["PAYMENT_DOCUMENT_DAYS", "SAVED_DOCUMENT_DAYS"])("is never %s without end, nothing or a part", (name) => {
    for (const days of ["0", "1.5", "-1", "36501", "years", ""]) {
      expect(() => parseSettings({ [name]: days }), days).toThrow(`${name}: must be a whole number from 1 to 36500`);
    }
  });
});
