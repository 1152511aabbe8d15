/** The last argument of every method. */
export type Options = Readonly<{
  /** Gives up as soon as it is aborted, while waiting too; its reason is thrown. */
  signal?: AbortSignal | undefined;
  /** How long one try may take, instead of the client's own `timeoutMs`. */
  timeoutMs?: number | undefined;
  /** How often this call is sent again at most, instead of the client's own `retriesMax`. */
  retriesMax?: number | undefined;
  /** Headers beside those of the client, such as the id of a trace. */
  headers?: Readonly<Record<string, string>> | undefined;
}>;

/** One endpoint, as the client calls it. */
export type Route = Readonly<{
  /** Method and path; placeholders are the first arguments of the method, in order. */
  on: string;
  /** The argument behind them. */
  takes?: "json" | "form" | "query";
  /** The parts of a form that are files. */
  files?: readonly string[];
  /** The method's result, if not the answer's `data`. */
  gives?: "file" | Readonly<{ list: string; feed?: true }>;
  /** Set where every request makes something new, so that one whose answer is lost is not sent again. */
  creates?: true;
  /** Options that are headers. */
  headers?: Readonly<Record<string, string>>;
}>;
