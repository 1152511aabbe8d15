import { execFile } from "node:child_process";

type Options = Readonly<{ env?: Readonly<Record<string, string | undefined>>; cwd?: string; timeoutMs: number }>;

/** The error of a failed command quotes this much of its output. */
const TOLD_CHARS = 4000;

/** The output of a command. Throws, with the end of its output, when it fails or takes longer than `timeoutMs`. */
export const runCommand = (
  file: string,
  args: readonly string[],
  { timeoutMs, ...options }: Options,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const limits = { timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: 2 ** 26 } as const;
    const child = execFile(file, args, { ...options, ...limits }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const why = error.killed === true ? `took more than ${timeoutMs / 1000} s` : `ended with ${String(error.code)}`;
      reject(new Error(`${file} ${args.join(" ")} ${why}\n${`${stdout}${stderr}`.slice(-TOLD_CHARS)}`));
    });
    child.stdin?.end();
  });
