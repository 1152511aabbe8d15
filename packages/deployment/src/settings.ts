import { isLoopback } from "./loopback.ts";
import { realRails } from "./real-rails.ts";

const MANY = 999_999_999;

/** The most partitions that timers and watches can be spread over. */
export const SHARDS_MAX = { timers: 256, watches: 64 } as const;

export type Read<Value> = (text: string | undefined) => Value;
type Readers = Readonly<Record<string, Read<unknown>>>;
type Parsed<Table extends Readers> = { [Name in keyof Table]: ReturnType<Table[Name]> };
type Environment = Readonly<Record<string, string | undefined>>;

/** A setting that is wrong: `message` follows its name, and says what is allowed. */
export class Unreadable extends Error {}

export const text =
  (fallback: string): Read<string> =>
  (value = fallback) => {
    if (value === "") throw new Unreadable("must be a text");
    return value;
  };

export const oneOf =
  <const Choice extends string>(choices: readonly Choice[], fallback: Choice): Read<Choice> =>
  (value = fallback) => {
    const choice = choices.find((known) => known === value);
    if (choice === undefined) throw new Unreadable(`must be one of ${choices.join(", ")}`);
    return choice;
  };

export const url =
  (fallback: string): Read<string> =>
  (value = fallback) => {
    if (!/^https?:$/.test(URL.parse(value)?.protocol ?? "")) throw new Unreadable("must be an http or https address");
    return value.replace(/\/$/, "");
  };

/** A rail's address: only what never leaves this machine may go without TLS. */
const railUrl: Read<string> = (value) => {
  const address = url("")(value);
  const { protocol, hostname } = new URL(address);
  if (protocol !== "https:" && !isLoopback(hostname)) throw new Unreadable("must be an https address");
  return address;
};

/** Addresses with spaces between them; none by default. */
const railUrls: Read<readonly string[]> = (value = "") => {
  if (value.includes(",")) throw new Unreadable("must have spaces between its addresses");
  return value.split(" ").filter(Boolean).map(railUrl);
};

const railNames = realRails.map(({ name }) => name);

/** The parts of a setting that says something of several rails, each with its rail's name. */
const partsByRail = (value: string): [name: string, part: string][] =>
  value.split(/ +(?=[a-z][a-z\d-]*=)/).flatMap((part) => {
    const [, named, rest] = /^([a-z][a-z\d-]*)=(.*)$/.exec(part) ?? [];
    // With a single rail there is nobody else whom a value without a name could be about.
    const only = railNames.length === 1 ? railNames[0] : undefined;
    return part.trim() === "" ? [] : [[named ?? only ?? "", rest ?? part]];
  });

/** A value for each of several rails: `<name>=<value>`, with spaces between them; without a name while there is one rail. */
export const byRail =
  <Value>(read: Read<Value>): Read<ByRail<Value>> =>
  (value = "") => {
    const parts = partsByRail(value);
    const names = parts.map(([name]) => name);
    if (new Set(names).size < names.length || names.some((name) => !railNames.includes(name)))
      throw new Unreadable(`must name each rail once, as in ${railNames.map((name) => `${name}=…`).join(" ")}`);
    return Object.fromEntries(parts.map(([name, part]) => [name, read(part)]));
  };
export type ByRail<Value> = Readonly<Record<string, Value>>;

/** A setting's value as the text that it is read from. */
export const toText = (value: unknown): string =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? [value].flat().join(" ")
    : Object.entries(value)
        .map(([name, part]) => `${name}=${toText(part)}`)
        .join(" ");

export const readFormerUrls = byRail(railUrls);

const words: Read<readonly string[]> = (value = "") => value.split(" ").filter(Boolean);

/** A number of seconds, hours …, of which there may be a fraction. */
const duration =
  (fallback: number): Read<number> =>
  (value = String(fallback)) => {
    const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.POSITIVE_INFINITY;
    if (number > MANY) throw new Unreadable(`must be a number from 0 to ${MANY}`);
    return number;
  };

export const count =
  (fallback: number, max: number, min = 1): Read<number> =>
  (value = String(fallback)) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : -1;
    if (number < min || number > max) throw new Unreadable(`must be a whole number from ${min} to ${max}`);
    return number;
  };

export const optional =
  <Value>(read: Read<Value>): Read<Value | undefined> =>
  (value) =>
    value === undefined ? undefined : read(value);

const amount =
  (fallback: string): Read<string> =>
  (value = fallback) => {
    if (!/^\d{1,15}(\.\d{1,4})?$/.test(value)) throw new Unreadable("must be a decimal amount such as 100.00");
    return value;
  };

const LINE_LENGTH_MAX = 200;

/** One line of text, as a page shows it. */
export const line: Read<string> = (value = "") => {
  if (!/^\P{C}+$/u.test(value) || value.trim() !== value || value.length > LINE_LENGTH_MAX)
    throw new Unreadable(`must be a line of at most ${LINE_LENGTH_MAX} characters`);
  return value;
};

/** The address of a page that payers are led to. */
export const pageUrl: Read<string> = (value = "") => {
  if (!/^https:\/\/[^\s"<>]+$/.test(value) || URL.parse(value) === null || value.length > LINE_LENGTH_MAX)
    throw new Unreadable("must be an https address");
  return value;
};

const EMAIL = /^[^\s@"<>]+@[^\s@.]+(\.[^\s@.]+)+$/;
const PHONE = /^\+\d[\d ]{4,20}$/;

/** Where people ask: an e-mail address, a telephone number, or the address of a page. */
export const contact: Read<string> = (value = "") => {
  if (line(value).startsWith("https:")) return pageUrl(value);
  if (!EMAIL.test(value) && !PHONE.test(value))
    throw new Unreadable("must be an e-mail address, a telephone number such as +61 2 5550 1234, or an https address");
  return value;
};

/** A hundred years. */
export const DOCUMENT_DAYS_MAX = 36_500;

/**
 * The environment of every function, parsed once; durations may be fractions. Plain functions rather than a schema,
 * because every cold start reads it: a schema library would be a fifth of the authorizer's.
 */
const settings = {
  STAGE: oneOf(["local", "sandbox", "production"], "local"),
  TABLE_NAME: text("payment-intents"),
  /** The table for counts of rate limits. Nothing in it would be missed. */
  WINDOW_TABLE_NAME: text("windows"),
  RAIL_TABLE_NAME: text("sandbox-rail"),
  BUCKET_NAME: text("payment-intent-documents"),
  /** The bucket for copies of the audit and the ledger, where the stage has one. */
  HISTORY_BUCKET: text("history"),
  QUEUE_URL: text("http://127.0.0.1/000000000000/advance-intents"),
  /** Queues with spaces between: of questions to rails, which take turns; of quick receivers of webhooks, and of others. */
  QUESTION_QUEUE_URLS: words,
  WEBHOOK_QUEUE_URLS: words,
  /** The address of this API as callers see it: absolute URLs are made from it, never from a Host header (H49). */
  BASE_URL: url("http://127.0.0.1:3000"),
  PAYER_APP_URL: url("http://127.0.0.1:3000"),
  /** The secrets that prove a request to be from CloudFront; without one no stated source address is believed (H39). */
  ORIGIN_SECRET: words,
  /** Keys that everybody knows, with spaces between: the page at `/` shows them. Set by `start`, on one machine only. */
  DEMO_KEYS: words,
  /** Whether the stage has the documentation at `/docs`, to which the page at `/` leads. */
  DOCS: oneOf(["off", "on"], "on"),
  QUOTE_TTL_SECONDS: duration(1800),
  DRAFT_TTL_HOURS: duration(336),
  /** How long documents are kept after their payment ended, and after they were saved on a party. */
  PAYMENT_DOCUMENT_DAYS: count(1_825, DOCUMENT_DAYS_MAX),
  SAVED_DOCUMENT_DAYS: count(1_825, DOCUMENT_DAYS_MAX),
  POLL_INTERVAL_SECONDS: duration(30),
  RECOVERY_AFTER_SECONDS: duration(1800),
  /** The outstanding amount, in any currency, from which commissions are worth a payout. */
  COMMISSION_THRESHOLD: amount("100.00"),
  /** How long a claim keeps other workers away: longer than a function may run (H5). */
  SUBMIT_LEASE_SECONDS: duration(60),
  /** How far ahead of its due time a timer may be sent, with a delivery delay (H22). */
  DISPATCH_AHEAD_SECONDS: duration(70),
  TIMER_SHARDS: count(64, SHARDS_MAX.timers),
  /**
   * The parts of what waits for rails, which are swept side by side: few, because a question asks about one part. More
   * are taken at once; with fewer, those that are left out are swept on.
   */
  WATCH_SHARDS: count(1, SHARDS_MAX.watches),
  /** Requests per second and key; the specification's is 200, load runs need more. */
  RATE_LIMIT_PER_SECOND: count(200, MANY),
  /** How long a request waits for its count before it passes uncounted (H54). */
  RATE_LIMIT_BUDGET_MS: count(50, MANY),
  /** The megabytes that a key may upload in a day, and those that all payers of one link may. */
  UPLOAD_MB_PER_KEY: count(20_000, MANY),
  UPLOAD_MB_PER_LINK: count(1_000, MANY),
  /** The imprint that payers see: company, contacts and terms; a tenant may have its own. */
  LEGAL_NAME: optional(line),
  LICENCE: optional(line),
  SUPPORT_CONTACT: optional(contact),
  PRIVACY_URL: optional(pageUrl),
  TERMS_URL: optional(pageUrl),
  COMPLAINTS_URL: optional(pageUrl),
  /** Whether paying commission requests and resolving intents takes two operators; read by their command alone. */
  TWO_PERSONS: oneOf(["off", "on"], "off"),
  CONNECTOR: oneOf(["sandbox", "http"], "sandbox"),
  /** Each rail's address, for `CONNECTOR=http`. */
  CONNECTOR_URL: byRail(railUrl),
  /** The place of the signing secret that is shared with a rail: `file:<path>`, or its name in Secrets Manager. */
  CONNECTOR_SECRET: byRail(text("")),
  /** Former addresses of rails. Payments that were sent there are asked about there; new ones are not sent there. */
  CONNECTOR_FORMER_URLS: readFormerUrls,
  /** How long a payment keeps others from a single-use link: a checkout after its page was last seen, a transfer. */
  CHECKOUT_HOLD_SECONDS: duration(600),
  TRANSFER_HOLD_SECONDS: duration(1800),
  /** How many payments by one link may be unpaid that were begun from one source address. */
  UNPAID_PAYMENTS_MAX: count(50, MANY),
  SANDBOX_SETTLE_SECONDS: duration(60),
  SANDBOX_DEDUP_SECONDS: duration(300),
};

export type Settings = Parsed<typeof settings>;

/** The default of a setting, for texts that state it. */
export const defaultOf = <Name extends keyof Settings>(name: Name) => settings[name](undefined) as Settings[Name];

/** The settings in `env`. Throws InvalidSettings with one line for each setting that is wrong. */
export const parseSettings = (env: Environment): Settings => readAll(settings, env);

/**
 * The settings in `env` for a process that runs all functions, with some of its own: beside each, what they need of one
 * another is checked.
 */
export const parseAllSettings = <Own extends Readers>(own: Own, env: Environment): Settings & Parsed<Own> =>
  readAll({ ...settings, ...own }, env, combinations);

function readAll<Table extends Readers>(readers: Table, env: Environment, together: readonly Combination[] = []) {
  const problems: string[] = [];
  const refuse = (name: string, must: string) => {
    problems.push(`${name}: ${must}${env[name] === undefined ? "" : `, not ${JSON.stringify(env[name])}`}`);
  };
  const read = Object.entries(readers).map(([name, parse]) => {
    try {
      return [name, parse(env[name])];
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      refuse(name, error.message);
      return [name, undefined];
    }
  });
  for (const { name, must, broken } of together) if (broken((other) => env[other] ?? "")) refuse(name, must);
  if (problems.length > 0) throw new InvalidSettings(problems);
  return Object.fromEntries(read) as Parsed<Table>;
}

/** Whether a setting says nothing of one of these rails. */
const lacksOf = (value: string, names: readonly string[]): boolean => {
  const named = partsByRail(value).map(([name]) => name);
  return names.some((name) => !named.includes(name));
};
/** The end of a message where there are several rails. */
const forEach = railNames.length === 1 ? "" : `, for each of ${railNames.join(", ")}`;

type Combination = Readonly<{ name: string; must: string; broken: (given: (name: string) => string) => boolean }>;

/** Rules between settings. */
const combinations: readonly Combination[] = [
  {
    name: "CONNECTOR_URL",
    must: `must be set with CONNECTOR=http${forEach}`,
    broken: (given) => given("CONNECTOR") === "http" && lacksOf(given("CONNECTOR_URL"), railNames),
  },
  {
    name: "CONNECTOR",
    must: "must be http with CONNECTOR_URL",
    broken: (given) => given("CONNECTOR") !== "http" && given("CONNECTOR_URL") !== "",
  },
  {
    name: "CONNECTOR_SECRET",
    must: `must be set with CONNECTOR=http or CONNECTOR_FORMER_URLS${forEach}`,
    broken: (given) => {
      const former = partsByRail(given("CONNECTOR_FORMER_URLS")).map(([name]) => name);
      return lacksOf(given("CONNECTOR_SECRET"), given("CONNECTOR") === "http" ? railNames : former);
    },
  },
  ...["WINDOW_TABLE_NAME", "RAIL_TABLE_NAME"].map((name) => ({
    name,
    must: "must be another table than TABLE_NAME",
    broken: (given: (name: string) => string) => given(name) !== "" && given(name) === given("TABLE_NAME"),
  })),
];

/** Settings that are wrong. The message has one line for each. */
export class InvalidSettings extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
  }
}
