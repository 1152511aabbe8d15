import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { freePort } from "@intents/local/free-port.ts";
import { runCommand } from "./command.ts";
import { RECEIVER, RECEIVER_PORT } from "./internet.ts";

export const ACCOUNT = "000000000000";
export const REGION = "us-east-1";
const START_MS_MAX = 30_000;
const LOG_MAX = 20_000;

export type Emulator = Readonly<{
  url: string;
  /** A folder that is removed with the emulator. */
  folder: string;
  /** The whole environment of commands, in which the emulator takes the place of AWS. */
  environment: Readonly<Record<string, string>>;
  /** One call of AWS's API by botocore's names, such as `events`, `list_rules`. */
  call: <Answer>(service: string, operation: string, parameters?: object) => Promise<Answer>;
  /** The one receiver of webhooks that functions reach: its address, and the port and certificate by which it serves. */
  receiver: Readonly<{ url: string; port: number; certificate: string; key: string }>;
  /** The end of what the emulator and the functions in it have written. */
  log: () => string;
  /** Ends the emulator with all its processes, and removes its folder. */
  stop: () => Promise<void>;
}>;

/** Starts MiniStack on a free port, with IAM enforced and a certificate that this process trusts from now on. */
export async function startEmulator(python: string): Promise<Emulator> {
  const folder = mkdtempSync(join(tmpdir(), "deployed-"));
  const { certificate, key } = await makeCertificate(folder);
  setDefaultCACertificates([...getCACertificates("default"), readFileSync(certificate, "utf8")]);
  const [port, receiverPort] = [await freePort(), await freePort()];
  const url = `https://localhost:${port}`;
  const base = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: folder,
    TMPDIR: folder,
    // Tests of templates hold CloudFormation's rules, which take as long as the rest of a synthesis.
    CDK_VALIDATION: "false",
    TZ: "UTC",
  };
  const file = join(folder, "emulator.log");
  const output = openSync(file, "w");
  const child = spawn(python, [join(import.meta.dirname, "patched-ministack.py")], {
    cwd: folder,
    // The emulator and its workers are in a process group of their own.
    detached: true,
    stdio: ["ignore", output, output],
    env: {
      ...base,
      AUTH: "true",
      BIND_HOST: "127.0.0.1",
      MINISTACK_HOST: "localhost",
      GATEWAY_PORT: String(port),
      MINISTACK_ACCOUNT_ID: ACCOUNT,
      MINISTACK_REGION: REGION,
      // This is the limit of a new AWS account.
      LAMBDA_ACCOUNT_CONCURRENCY: "10",
      USE_SSL: "1",
      MINISTACK_SSL_CERT: certificate,
      MINISTACK_SSL_KEY: key,
      [RECEIVER_PORT]: String(receiverPort),
      NODE_OPTIONS: `--import=${new URL("internet.ts", import.meta.url)}`,
    },
  });
  closeSync(output);
  const ended = once(child, "exit");
  if (child.pid === undefined) throw new Error(`${python} does not start`);
  const end = guard(child.pid, folder);
  const stop = async () => {
    await Promise.all([end(), ended]);
  };
  const log = () => readFileSync(file, "utf8").slice(-LOG_MAX);
  const environment = {
    ...base,
    CI: "1",
    CDK_HOME: folder,
    AWS_ENDPOINT_URL: url,
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_CA_BUNDLE: certificate,
    NODE_EXTRA_CA_CERTS: certificate,
  };
  try {
    await waitUntilItAnswers(url, () => child.exitCode !== null);
  } catch (cause) {
    const written = log();
    await stop();
    throw new Error(`MiniStack does not start: ${written}`, { cause });
  }
  return {
    ...{ url, folder, environment, log, stop },
    receiver: { url: `https://${RECEIVER}/hook`, port: receiverPort, certificate, key },
    async call<Answer>(service: string, operation: string, parameters: object = {}) {
      const args = [join(import.meta.dirname, "aws-call.py"), service, operation, JSON.stringify(parameters)];
      return JSON.parse(await runCommand(python, args, { env: environment, timeoutMs: 60_000 })) as Answer;
    },
  };
}

async function makeCertificate(folder: string): Promise<Readonly<{ certificate: string; key: string }>> {
  const made = { certificate: join(folder, "certificate.pem"), key: join(folder, "key.pem") };
  const names = `subjectAltName=DNS:localhost,DNS:*.localhost,DNS:${RECEIVER},IP:127.0.0.1`;
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"];
  const args = [...request, "-addext", names, "-out", made.certificate, "-keyout", made.key];
  await runCommand("openssl", args, { timeoutMs: 30_000 });
  return made;
}

/**
 * A process that ends the group of `pid` and removes the folder, on request, or when this process ends in whatever way:
 * the system then closes the guard's input.
 */
function guard(pid: number, folder: string): () => Promise<void> {
  // A process that is about to die may still write to the folder.
  const script = `cat; kill -s KILL -- -${pid}; for i in 1 2 3 4 5; do rm -rf -- "$1" && break; sleep 0.2; done`;
  const child = spawn("/bin/sh", ["-c", script, "sh", folder], {
    // The guard is not in this process's group, which an interrupt from the keyboard ends.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const ended = once(child, "close");
  return async () => {
    child.stdin.end();
    await ended;
  };
}

async function waitUntilItAnswers(url: string, isGone: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + START_MS_MAX;
  const answers = () =>
    fetch(`${url}/_ministack/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) {
    if (isGone() || performance.now() > deadlineMs) throw new Error(`${url} does not answer`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
