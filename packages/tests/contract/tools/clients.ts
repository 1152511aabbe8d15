import { spawn } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { API_KEY, environmentOf, folder, type KitName, run, scratchFolder, type Tools, textOf } from "./tools.ts";

/** A generated client: the generator with the options of the guide, and scripts in a copy of its folder in `clients`. */
type Client = Readonly<{
  language: string;
  generator: string;
  options: string;
  tools: readonly KitName[];
  /** Generates the client and compiles it. */
  build: string;
  /** Takes the service's address and a key, makes the requests that it reads, one a line, and prints each answer. */
  job: string;
}>;

const versionIn = (file: string, pin: RegExp): string => pin.exec(textOf(file))?.[1] ?? "none";

const openapiGenerator = `openapi-generator ${versionIn("requirements.txt", /openapi-generator-cli==(.+)/)}`;
/** By the package on PyPI: its command names the folder from before the installation moved. */
const runOpenapiGenerator =
  '"$PYTHON_TOOLS/bin/python" -c "from openapi_generator_cli import cli; cli()" generate -i "$CONTRACT" -o generated';

const rows = {
  java: {
    ...{ language: "Java 17", generator: openapiGenerator, tools: ["python", "java"] },
    options: "-g java --name-mappings _id=recordId --additional-properties=library=native,openApiNullable=false",
    build:
      `${runOpenapiGenerator} $OPTIONS && ` +
      'javac -nowarn -d built -cp "$JAVA_TOOLS/*" $(find generated/src/main Job.java -name "*.java")',
    job: 'java -cp "built:$JAVA_TOOLS/*" Job',
  },
  go: {
    language: "Go",
    generator: `oapi-codegen ${versionIn("clients/go/go.mod", /oapi-codegen\/v2 v(\S+)/)}`,
    options: "-generate types,client,skip-prune -package payments",
    tools: ["go"],
    build: '"$GO_TOOLS/oapi-codegen" $OPTIONS -o generated/client.go "$CONTRACT" && go build -o job .',
    job: "./job",
  },
  python: {
    ...{ language: "Python", generator: openapiGenerator, tools: ["python", "java"] },
    options: "-g python --name-mappings _id=recordId --global-property=apis,models,supportingFiles",
    build: `${runOpenapiGenerator} $OPTIONS && "$PYTHON_TOOLS/bin/python" -m compileall -q generated`,
    job: 'env PYTHONPATH=generated "$PYTHON_TOOLS/bin/python" job.py',
  },
  typescript: {
    language: "TypeScript",
    generator: `openapi-fetch, with openapi-typescript ${versionIn("package.json", /"openapi-typescript": "(.+)"/)}`,
    options: "",
    tools: ["node"],
    build:
      'ln -s "$NODE_TOOLS/node_modules" . && ' +
      'node_modules/.bin/openapi-typescript "$CONTRACT" --output generated/schema.d.ts && node_modules/.bin/tsc',
    job: "node job.ts",
  },
} as const satisfies Readonly<Record<string, Client>>;

/** The clients by the names of their folders, of which docs/guides/languages.md has a row each. */
export const clients: readonly (Client & Readonly<{ name: string }>)[] = Object.entries(rows).map(([name, row]) => ({
  name,
  ...row,
}));

/** Makes a client in a new folder, and gives the way to ask the service at `url` with it. */
export async function openClient({ name, options, build, job }: (typeof clients)[number], tools: Tools, url: string) {
  // TypeScript and Node.js compile nothing below node_modules.
  const cwd = scratchFolder(`clients/${name}`);
  rmSync(cwd, { recursive: true });
  cpSync(join(folder, "clients", name), cwd, { recursive: true });
  cpSync(join(folder, "clients/passport.pdf"), join(cwd, "passport.pdf"));
  mkdirSync(join(cwd, "generated"));
  await run({ ...tools, OPTIONS: options }, cwd, build);
  const running = spawn("sh", ["-c", `exec ${job} "$@"`, "sh", url, API_KEY], {
    ...{ cwd, env: environmentOf(tools), stdio: ["pipe", "pipe", "inherit"] },
  });
  const answers = createInterface({ input: running.stdout })[Symbol.asyncIterator]();
  return {
    async ask(request: string): Promise<unknown> {
      running.stdin.write(`${request}\n`);
      const { value, done } = await answers.next();
      if (done === true) throw new Error(`The job ended at ${request}`);
      return JSON.parse(value);
    },
    close: () => void running.stdin.end(),
  };
}
