/** A program that the machine itself must have. `findTools` looks for it, and installs all other tools. */
export type Need = "node" | "python" | "java" | "maven" | "go";

/** A way to a client: the program that makes it, with the options that the guide tells. */
export type Generator = Readonly<{
  language: string;
  program: string;
  version: string;
  options?: string;
  needs: readonly Need[];
  /** The folder of its job, where that is another one's too. */
  job?: string;
}>;

const openapiGenerator = { program: "openapi-generator", version: "7.26.0" } as const;

/** The generators by the names of their clients: `pnpm clients` tries each, and docs/guides/languages.md has a row of it. */
export const generators = {
  java: {
    ...{ language: "Java 17", ...openapiGenerator, needs: ["java", "maven", "python"] },
    options: "-g java --name-mappings _id=recordId --additional-properties=library=native,openApiNullable=false",
  },
  go: {
    ...{ language: "Go", ...openapiGenerator, needs: ["java", "go", "python"] },
    options: "-g go --name-mappings _id=RecordId --additional-properties=enumClassPrefix=true,withGoMod=false",
  },
  "oapi-codegen": {
    ...{ language: "Go", program: "oapi-codegen", version: "2.8.2", needs: ["go"] },
    options: "-generate types,client,skip-prune -package payments",
  },
  python: {
    ...{ language: "Python", ...openapiGenerator, needs: ["java", "python"] },
    options: "-g python --name-mappings _id=recordId --global-property=apis,models,supportingFiles",
  },
  "openapi-python-client": {
    ...{ language: "Python", program: "openapi-python-client", version: "0.29.1", needs: ["python"] },
    options: "--config config.json",
  },
  "typescript-fetch": {
    ...{ language: "TypeScript", ...openapiGenerator, needs: ["java", "python", "node"] },
    options: "-g typescript-fetch --name-mappings _id=recordId --additional-properties=importFileExtension=.js",
  },
  "openapi-fetch": {
    ...{
      language: "TypeScript",
      program: "openapi-fetch, with openapi-typescript",
      version: "7.13.0",
      needs: ["node"],
    },
  },
  bun: { language: "TypeScript", program: "our own client, under Bun", version: "1.4.5", needs: ["node"], job: "own" },
  deno: {
    language: "TypeScript",
    program: "our own client, under Deno",
    version: "2.9.6",
    needs: ["node"],
    job: "own",
  },
} as const satisfies Readonly<Record<string, Generator>>;

export type ClientName = keyof typeof generators;

export const clientNames = Object.keys(generators) as ClientName[];

/** The cells that tell of a generator: in the guide, and in the table that `pnpm clients` prints. */
export const cellsOf = ({ language, program, version, options }: Generator): readonly string[] => [
  language,
  `${program} ${version}`,
  options === undefined ? "none" : `\`${options}\``,
];

export const rowOf = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
