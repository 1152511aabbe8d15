import type { Route } from "./route.ts";

/** An answer's content: its body in JSON, or a file. */
export type Content = Readonly<Record<string, unknown>> | File;

/** An answer's metadata. */
export type AnswerInfo = Readonly<{
  status: number;
  headers: Headers;
  /** The id under which the service's logs know the request. */
  requestId: string | undefined;
  /** For the option `ifMatch` of a change: it is refused if the resource has changed since. */
  etag: string | undefined;
}>;

export const toInfo = ({ status, headers }: Response): AnswerInfo => ({
  status,
  headers,
  requestId: headers.get("x-request-id") ?? undefined,
  etag: headers.get("etag") ?? undefined,
});

/** The seconds after which a service says to ask again: it tells them, or the moment, by its own clock. */
export function retryAfterOf(headers: Headers): number | undefined {
  const retryAfter = headers.get("retry-after") ?? "";
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const untilMs = retryAfter.endsWith(" GMT") ? Date.parse(retryAfter) : Number.NaN;
  const nowMs = Date.parse(headers.get("date") ?? "") || Date.now();
  return Number.isNaN(untilMs) ? undefined : Math.max(0, Math.ceil((untilMs - nowMs) / 1000));
}

/** Reads an answer to its end. Half of one throws, as no answer does, and so does a success that is not the service's. */
export async function readContent(route: Route, response: Response, fetchFile: typeof fetch): Promise<Content> {
  const location = response.headers.get("location");
  if (route.gives === "file" && response.status === 303 && location !== null) {
    // The link is good by itself; the key must not leave for another server.
    const linked = await fetchFile(new URL(location, response.url || undefined));
    if (!linked.ok) throw new Error(`The link to the file was answered with ${linked.status}`);
    return toFile(linked);
  }
  if (route.gives === "file" && response.ok) return toFile(response);
  const text = await response.text();
  if (response.ok) return toContent(route, JSON.parse(text));
  try {
    return Object(JSON.parse(text)) as Content;
  } catch {
    // Proxies before a service answer in HTML.
    return {};
  }
}

/** Throws for a JSON answer without data, such as a proxy's `{}` or `null`: it proves no outcome. */
function toContent({ gives }: Route, body: unknown): Content {
  const { data } = Object(body) as Readonly<Record<string, unknown>>;
  const known = typeof gives === "object" ? Object(data)[gives.list] : data;
  if (typeof known !== "object" || known === null) throw new Error("what came is no answer of the service");
  return body as Content;
}

async function toFile(response: Response): Promise<File> {
  const { headers } = response;
  const [, name = "download"] = /filename\*=UTF-8''([^;]+)/.exec(headers.get("content-disposition") ?? "") ?? [];
  return new File([await response.blob()], decodeURIComponent(name), { type: headers.get("content-type") ?? "" });
}
