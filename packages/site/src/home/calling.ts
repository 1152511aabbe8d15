/** One request with its answer, as the page shows them. */
export type Exchange = Readonly<{
  /** The request's purpose. */
  title: string;
  method: string;
  path: string;
  sent: unknown;
  /** 0 where no answer came. */
  status: number;
  answer: unknown;
  durationMs: number;
}>;

/** A request of the page: a body goes as JSON, a form as it is. */
export type PageCall = Readonly<{
  title: string;
  method?: string;
  path: string;
  body?: object;
  form?: FormData;
  headers?: Readonly<Record<string, string>>;
}>;

/** Sends a request, tells of it, and gives the `data` of a JSON answer. Throws Refused where it is refused. */
export type Call = <Data>(asked: PageCall) => Promise<Data>;

/** A refusal, in the service's own words. */
export class Refused extends Error {}

/** Longer than the gateway's own limit of 29 s, so that its answer still arrives. */
const ANSWER_MS_MAX = 35_000;

/**
 * Calls the service that the page is from with `key`, and tells `onExchange` of every answer. `root` leads from the page
 * to the service's own address.
 */
export function openCall(key: string, onExchange: (exchange: Exchange) => void, root = ""): Call {
  return async <Data>({ title, method = "GET", path, body, form, headers }: PageCall): Promise<Data> => {
    const startedMs = performance.now();
    const report = (status: number, answer: unknown) => {
      const sent = body ?? (form === undefined ? undefined : Object.fromEntries([...form].map(shown)));
      onExchange({ title, method, path, sent, status, answer, durationMs: performance.now() - startedMs });
    };
    const { response, answer } = await send().catch(() => {
      report(0, undefined);
      throw new Refused("No answer came: is the service running?");
    });
    report(response.status, answer);
    const { data, message } = Object(answer) as { data: Data; message?: unknown };
    if (response.ok) return data;
    throw new Refused(String(message ?? `Status ${response.status}`));

    async function send() {
      const sent = await fetch(root + path.slice(1), {
        method,
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
        headers: { "X-API-Key": key, ...(body !== undefined && { "Content-Type": "application/json" }), ...headers },
        ...(body !== undefined ? { body: JSON.stringify(body) } : form !== undefined && { body: form }),
      });
      return { response: sent, answer: await read(sent) };
    }
  };
}

/** An answer as it is shown: JSON as its value, a text as it is, and of any other file its type and size. */
async function read(response: Response): Promise<unknown> {
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) return response.json();
  if (type.startsWith("text/")) return response.text();
  const { size } = await response.blob();
  return size === 0 ? undefined : `${type}, ${size} bytes`;
}

const shown = ([name, value]: readonly [string, FormDataEntryValue]) =>
  [name, typeof value === "string" ? value : `${value.name}, ${value.size} bytes`] as const;
