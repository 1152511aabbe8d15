/** The options by which the operator has named the service. */
export type Where = Readonly<{ port: string; prefix?: string; table?: string }>;

/** A command of the operator's on the same service, as a shell takes it; `FILL_IN` is what a person has to write. */
export type CommandLine = (...words: readonly string[]) => string;

/** No command takes this for an answer, so that nothing is done by a line that was pasted as it was shown. */
export const FILL_IN = "...";
/** The option of a command that says why. */
export const WHY = ["--reason", FILL_IN] as const;

const LOCAL_PORT = "3000";

export function openCommandLine({ port, prefix, table }: Where, stage: string | undefined): CommandLine {
  const named = stage === undefined ? { port: port === LOCAL_PORT ? undefined : port } : { stage, prefix };
  const options = Object.entries({ ...named, table }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  return (...words) => ["npx -y pnpm@12 operator", ...[...words, ...options].map(quote)].join(" ");
}

const quote = (word: string): string =>
  /^[\w.:=,-]+$/.test(word) && word !== FILL_IN ? word : `'${word.replaceAll("'", "'\\''")}'`;
