import { type AnswerInfo, type Content, retryAfterOf } from "./answer.ts";
import type { Resources } from "./api/resources.ts";
import { routes } from "./api/routes.ts";
import { openList, type Page } from "./lists.ts";
import { A_DURATION, isDuration, type Machine, thisMachine } from "./machine.ts";
import { type Call, readArguments, toRequest } from "./request.ts";
import { isRetriesMax, RETRIES_MAX, RETRIES_RANGE } from "./retries.ts";
import type { Options, Route } from "./route.ts";
import type { PaymentIntent } from "./schemas/payment-intents.ts";
import { type Attempt, type Service, send } from "./sending.ts";
import { type Waiting, type WaitOptions, waitUntilFinal } from "./waiting.ts";

export type Settings = Readonly<{
  /** The address of the service, such as `https://api.example.com`; https, unless it is on this machine. */
  baseUrl: string;
  /** `<CLIENT_ID>:<SECRET>`. */
  apiKey: string;
  /** How long one try of a request may take, up to a day. Gateways answer within 29 seconds. */
  timeoutMs?: number;
  /** How often a call is sent again at most: 5 times, unless this is less. */
  retriesMax?: number;
  /** Is told of every try of every request. It is never told the key. */
  debug?: (attempt: Attempt) => void;
}>;

export type Client = Readonly<
  Resources & {
    paymentIntents: Waiting;
    /** The metadata of the answer that brought a value: its ETag, headers and request id. */
    responseOf(value: object): AnswerInfo | undefined;
  }
>;

/** A client of the service at `baseUrl`, for the tenant of `apiKey`. Tests give it a `machine` of their own. */
export function openClient(settings: Settings, machine: Machine = thisMachine): Client {
  const service = toService(settings);
  const infos = new WeakMap<object, AnswerInfo>();

  async function perform(route: Route, call: Call): Promise<object> {
    const { info, content } = await send(service, machine, await toRequest(route, call, machine.newKey));
    const value = toValue(route, content);
    infos.set(value, info);
    return value;
  }

  const toMethod =
    (route: Route) =>
    (...args: readonly unknown[]) => {
      const call = readArguments(route, args);
      if (typeof route.gives !== "object") return perform(route, call);
      const query = (call.input ?? {}) as Readonly<Record<string, unknown>>;
      return openList((input) => perform(route, { ...call, input }) as Promise<Page<unknown>>, query, route.gives.feed);
    };
  const resources = mapValues(routes, (methods) => mapValues(methods, toMethod)) as unknown as Resources;

  const responseOf = (value: object) => infos.get(value);
  const ask = (id: string) => async (options: Options) => {
    const intent: PaymentIntent = await resources.paymentIntents.get(id, options);
    const retryAfterSeconds = retryAfterOf(responseOf(intent)?.headers ?? new Headers());
    return { intent, retryAfterMs: retryAfterSeconds && retryAfterSeconds * 1000 };
  };
  return {
    ...resources,
    paymentIntents: {
      ...resources.paymentIntents,
      waitUntilFinal: (id: string, options: WaitOptions = {}) => waitUntilFinal(ask(id), machine, options),
    },
    responseOf,
  };
}

const TIMEOUT_MS = 35_000;

function toService(settings: Settings): Service {
  const { baseUrl, apiKey, timeoutMs = TIMEOUT_MS, retriesMax = RETRIES_MAX, debug } = settings;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url?.hostname ?? "");
  if (!(url?.protocol === "https:" || (url?.protocol === "http:" && isHere))) {
    throw new TypeError("baseUrl must be an https address, or an http address of this machine");
  }
  // Paths are put behind it as it is; and what tells a password is quoted by whatever refuses it.
  if (url.username + url.password !== "" || /[\s?#]/.test(baseUrl)) {
    throw new TypeError("baseUrl must be an address without user, query, fragment and spaces");
  }
  if (!isDuration(timeoutMs)) throw new TypeError(`timeoutMs ${A_DURATION}`);
  if (!isRetriesMax(retriesMax)) throw new TypeError(`retriesMax ${RETRIES_RANGE}`);
  // A key that is no header would be quoted by whatever refuses it.
  if (!/^[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]+$/.test(apiKey)) throw new TypeError("apiKey must be <CLIENT_ID>:<SECRET>");
  return { baseUrl: baseUrl.replace(/\/+$/, ""), apiKey, timeoutMs, retriesMax, debug };
}

/** A method's result from an answer: its data, a page of a list, or a file. */
function toValue({ gives }: Route, content: Content): object {
  if (gives === "file") return content;
  const { data, ...rest } = content as Readonly<{ data: Readonly<Record<string, unknown>> }>;
  return typeof gives === "object" ? { items: data[gives.list], ...rest } : data;
}

const mapValues = <Value, Mapped>(record: Readonly<Record<string, Value>>, map: (value: Value) => Mapped) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
