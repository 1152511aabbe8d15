import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseLocalSettings } from "./local-settings.ts";

type Environment = Readonly<Record<string, string>>;

const secret = { CONNECTOR_SECRET: `file:${import.meta.filename}` };
const railUrl = { CONNECTOR_URL: "https://rail.example" };

/** The lines that a start with these settings ends with. */
function linesOf(env: Environment): string[] {
  try {
    parseLocalSettings(env);
  } catch (error) {
    return (error as Error).message.split("\n");
  }
  return [];
}

const levels = "must be one of TRACE, DEBUG, INFO, WARN, ERROR, CRITICAL, SILENT";
const alone: [Environment, string][] = [
  [{ PORT: "http" }, 'PORT: must be a whole number from 0 to 65535, not "http"'],
  [{ PORT: "" }, 'PORT: must be a whole number from 0 to 65535, not ""'],
  [{ PORT: "65536" }, 'PORT: must be a whole number from 0 to 65535, not "65536"'],
  [{ DATA_DIR: "" }, 'DATA_DIR: must be a text, not ""'],
  [
    { DYNAMODB_ENDPOINT: "localhost:8000" },
    'DYNAMODB_ENDPOINT: must be an http or https address, not "localhost:8000"',
  ],
  [{ LOG_LEVEL: "chatty" }, `LOG_LEVEL: ${levels}, not "chatty"`],
  [{ LOG_LEVEL: "" }, `LOG_LEVEL: ${levels}, not ""`],
  [{ STAGE: "prod" }, 'STAGE: must be one of local, sandbox, production, not "prod"'],
  [{ BASE_URL: "example.com" }, 'BASE_URL: must be an http or https address, not "example.com"'],
  [{ QUOTE_TTL_SECONDS: "-1" }, 'QUOTE_TTL_SECONDS: must be a number from 0 to 999999999, not "-1"'],
  [{ TIMER_SHARDS: "0" }, 'TIMER_SHARDS: must be a whole number from 1 to 256, not "0"'],
  [{ COMMISSION_THRESHOLD: "1e3" }, 'COMMISSION_THRESHOLD: must be a decimal amount such as 100.00, not "1e3"'],
  [{ CONNECTOR: "htpp" }, 'CONNECTOR: must be one of sandbox, http, not "htpp"'],
  [{ CONNECTOR_SECRET: "rail" }, 'CONNECTOR_SECRET: must be file:<path>, not "rail"'],
  [{ CONNECTOR_SECRET: "file:no" }, 'CONNECTOR_SECRET: must name a file that can be read, not "file:no"'],
];
const together: [Environment, string[]][] = [
  [{ CONNECTOR: "http", ...secret }, ["CONNECTOR_URL: must be set with CONNECTOR=http"]],
  [{ CONNECTOR: "http", ...railUrl }, ["CONNECTOR_SECRET: must be set with CONNECTOR=http or CONNECTOR_FORMER_URLS"]],
  [railUrl, ["CONNECTOR: must be http with CONNECTOR_URL"]],
  [
    { CONNECTOR_FORMER_URLS: "https://old.example" },
    ["CONNECTOR_SECRET: must be set with CONNECTOR=http or CONNECTOR_FORMER_URLS"],
  ],
  [
    { RAIL_TABLE_NAME: "one", TABLE_NAME: "one" },
    ['RAIL_TABLE_NAME: must be another table than TABLE_NAME, not "one"'],
  ],
  [
    { WINDOW_TABLE_NAME: "payment-intents" },
    ['WINDOW_TABLE_NAME: must be another table than TABLE_NAME, not "payment-intents"'],
  ],
  [
    { PORT: "x", CONNECTOR: "http", LOG_LEVEL: "chatty" },
    [
      'PORT: must be a whole number from 0 to 65535, not "x"',
      `LOG_LEVEL: ${levels}, not "chatty"`,
      "CONNECTOR_URL: must be set with CONNECTOR=http",
      "CONNECTOR_SECRET: must be set with CONNECTOR=http or CONNECTOR_FORMER_URLS",
    ],
  ],
];

describe("a wrong setting is named, with what was given and what is allowed:", () => {
  test.each(alone)("%j", (env, line) => {
    expect(linesOf(env)).toEqual([line]);
  });

  test.each(together)("together %j", (env, lines) => {
    expect(linesOf(env)).toEqual(lines);
  });
});

test.each([
  {},
  { PORT: "0", DATA_DIR: "memory", LOG_LEVEL: "debug" },
  { CONNECTOR: "http", ...railUrl, ...secret },
  { DYNAMODB_ENDPOINT: "http://127.0.0.1:8000" },
])("right settings are taken: %j", (env) => {
  expect(linesOf(env)).toEqual([]);
});

test("every setting is described to those who set them", () => {
  const text = readFileSync(new URL("../../../docs/settings.md", import.meta.url), "utf8");
  expect(Object.keys(parseLocalSettings({})).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
