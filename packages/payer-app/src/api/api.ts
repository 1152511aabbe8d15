import { type Problem, toProblem } from "./problem.ts";
import type { KnownPayment, PayerPayment, PaymentState, PublicLink, Quote, Session, SessionBody } from "./wire.ts";

export type Reply<Value> =
  | Readonly<{ ok: true; value: Value; answeredAtMs: number }>
  | Readonly<{ ok: false; problem: Problem }>;

/** The public endpoints of one link, as a browser calls them. */
export type Api = ReturnType<typeof openApi>;

/** How long to wait for an answer: longer than the gateway's own limit of 29 s, so that its answer still arrives. */
export const ANSWER_MS_MAX = 35_000;

/** `base`: the link's address under the API, relative to the page. */
export function openApi(base: string) {
  async function call<Value>(path: string, body?: object, secret?: string): Promise<Reply<Value>> {
    try {
      const response = await fetch(`${base}${path}`, {
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
        headers: { ...(body && { "Content-Type": "application/json" }), ...(secret && { "X-Payer-Secret": secret }) },
        ...(body && { method: "POST", body: JSON.stringify(body) }),
      });
      const answer: unknown = await response.json().catch(() => undefined);
      return toReply(response.status, answer, (name) => response.headers.get(name));
    } catch {
      return { ok: false, problem: toProblem(0, undefined) };
    }
  }

  const session = "/payer-session";
  return {
    link: () => call<PublicLink>(""),
    quote: (payerCountryCode: string, amount: string | undefined) =>
      call<Quote>("/quote", { payerCountryCode, ...(amount && { amount }) }),
    startSession: (secret: string, body: SessionBody) => call<Session>(session, body, secret),
    /** The payment that was begun with a secret. */
    resume: (secret: string) => call<PayerPayment>(session, undefined, secret),
    /** A sign of life, for which the link is kept longer; `promise` makes a bank transfer sure. */
    hold: (secret: string, promise: Readonly<{ willTransfer?: true }>) =>
      call<PayerPayment>(`${session}/hold`, promise, secret),
    /** Calls a payment off. */
    release: (secret: string) => call<PayerPayment>(`${session}/release`, {}, secret),
    payment: async (paymentIntentId: string): Promise<Reply<KnownPayment>> => {
      const reply = await call<PaymentState>(`/status?paymentIntentId=${encodeURIComponent(paymentIntentId)}`);
      if (!reply.ok) return reply;
      return { ...reply, value: { ...reply.value, paymentIntentId, status: reply.value.paymentStatus } };
    },
    /** Sends a document; `onProgress` is told which fraction of it has been sent. */
    upload: (file: File, onProgress: (fraction: number) => void) => upload(`${base}/documents`, file, onProgress),
  };
}

/** A reply; one without data is of somebody between the payer and the service, such as the page of a hotel's network. */
function toReply<Value>(status: number, answer: unknown, header: (name: string) => string | null): Reply<Value> {
  const { data } = (answer ?? {}) as { data?: Value };
  if (!data) return { ok: false, problem: toProblem(status < 300 ? 0 : status, answer, header("retry-after")) };
  // The time is the service's, because the payer's clock may be wrong.
  return { ok: true, value: data, answeredAtMs: Date.parse(header("date") ?? "") || Date.now() };
}

/** Sends a file by XMLHttpRequest, because fetch does not tell how much has been sent. */
function upload(url: string, file: File, onProgress: (fraction: number) => void) {
  return new Promise<Reply<Readonly<{ documentId: string }>>>((resolve) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.set("documentType", "identity");
    form.set("file", file);
    // A large file may take minutes, for as long as something of it moves.
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), ANSWER_MS_MAX);
    };
    request.upload.onprogress = ({ loaded, total }) => {
      wait();
      onProgress(loaded / total);
    };
    // The end of the request, with an answer or without: its status is then 0.
    request.onloadend = () => {
      clearTimeout(timer);
      resolve(toReply(request.status, request.response, (name) => request.getResponseHeader(name)));
    };
    request.responseType = "json";
    request.open("POST", url);
    request.send(form);
    wait();
  });
}
