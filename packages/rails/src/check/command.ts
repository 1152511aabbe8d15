import { parseArgs } from "node:util";
import { isLoopback } from "@intents/deployment/loopback.ts";
import { CheckStopped, openAsking } from "./asking.ts";
import { playPoints, type Verdict } from "./play.ts";

/** The exit codes, as those of the operators' command. */
const codes = { kept: 0, usage: 2, unreachable: 3, broken: 4 } as const;

const USAGE = `usage: RAIL_SECRET=<secret> npx -y pnpm@12 rail:check <url> [--confirm <host>] [--settle-within <seconds>] [--yes] [--json]`;

type Options = Readonly<{ url: URL; secret: string; settleWithinMs: number; yes: boolean; json: boolean }>;

export type Surroundings = Readonly<{
  env: Readonly<Record<string, string | undefined>>;
  out: (text: string) => unknown;
  err: (text: string) => unknown;
  /** Whether a person agrees; undefined where nobody is there. */
  confirm: (question: string) => Promise<boolean | undefined>;
  now: () => number;
  pause: (ms: number) => Promise<unknown>;
}>;

/** Plays the contract against a running rail, and tells what it keeps. Gives the exit code. */
export async function checkRail(args: readonly string[], around: Surroundings): Promise<number> {
  const { out, err, now, pause } = around;
  const refuse = (reason: string): number => {
    err(`${reason}\n`);
    return codes.usage;
  };
  const options = readOptions(args, around.env);
  if (typeof options === "string") return refuse(options);
  const { url, secret, settleWithinMs, json } = options;
  const address = url.origin + url.pathname.replace(/\/+$/, "");
  err(
    `Makes about 10 payments of 0.01 AUD and 2 deposits at ${address}, of a tenant check-…, and calls them off at the end.\n`,
  );
  const agreed = options.yes || (await around.confirm("Go on? [y/N] "));
  if (agreed === undefined) return refuse("Nobody is here to ask: repeat with --yes");
  if (!agreed) return refuse("Nothing was sent");
  try {
    const ask = openAsking({ url: address, secret, now, pause });
    const { verdicts, left } = await playPoints({ ask, now, pause, settleWithinMs });
    out(json ? `${JSON.stringify({ url: address, verdicts, left })}\n` : reportOf(verdicts, left));
    return verdicts.some(({ verdict }) => verdict === "broken") ? codes.broken : codes.kept;
  } catch (error) {
    if (!(error instanceof CheckStopped)) throw error;
    err(`${error.message}\n`);
    return codes.unreachable;
  }
}

function readOptions(args: readonly string[], { RAIL_SECRET: secret }: Surroundings["env"]): Options | string {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  const known = { confirm: text, "settle-within": { ...text, default: "0" }, yes: flag, json: flag };
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: known, allowPositionals: true });
    const [given, ...others] = positionals;
    const url = URL.parse(given ?? "");
    if (url === null || others.length > 0) return USAGE;
    const local = isLoopback(url.hostname);
    if (url.protocol !== "https:" && !local) return "The address must be https, unless the rail is on this machine";
    if (!local && values.confirm !== url.hostname)
      return `Payments go to ${url.hostname}: repeat with --confirm ${url.hostname} if that is a test address`;
    if (!secret) return "RAIL_SECRET must hold the signing secret that is shared with the rail";
    const seconds = values["settle-within"];
    if (!/^\d{1,5}$/.test(seconds)) return "--settle-within must be a number of seconds";
    return { url, secret, settleWithinMs: Number(seconds) * 1_000, yes: values.yes, json: values.json };
  } catch (error) {
    return `${(error as Error).message.split(". ")[0]}; ${USAGE}`;
  }
}

const marks = { kept: "✓", broken: "✗", "not seen": "–" } as const;

function reportOf(verdicts: readonly Verdict[], left: readonly string[]): string {
  const lines = verdicts.flatMap(({ point, verdict, found, costs }) => [
    `${marks[verdict]} ${point}`,
    ...(verdict === "broken" ? [`    found: ${found}`, `    costs: ${costs}`] : []),
    ...(verdict === "not seen" ? [`    not seen: ${found}`] : []),
  ]);
  const count = (of: Verdict["verdict"]) => verdicts.filter(({ verdict }) => verdict === of).length;
  const sums = `${count("kept")} of ${verdicts.length} points kept, ${count("broken")} broken, ${count("not seen")} not seen`;
  const remains = left.length === 0 ? "nothing is left of the check" : `not called off: ${left.join(", ")}`;
  return `${[...lines, "", `${sums}; ${remains}`].join("\n")}\n`;
}
