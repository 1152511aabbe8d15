import { join } from "node:path";
import type { BuildOptions } from "esbuild";
import type { renderView } from "./views.tsx";

/** The console's pages, and the two files that each of them loads. */
export type Assembled = Readonly<{ renderView: typeof renderView; script: string; style: string }>;

const sources = import.meta.dirname;
const shared = {
  absWorkingDir: sources,
  // Files are only named for their extensions: nothing is written.
  outdir: join(sources, "built"),
  bundle: true,
  format: "esm",
  legalComments: "none",
  logLevel: "silent",
  write: false,
} as const satisfies BuildOptions;

/**
 * Builds the console from its sources, in about a tenth of a second. It is built when it starts, so that it is never
 * older than the command that starts it.
 */
export async function assembleConsole(): Promise<Assembled> {
  const esbuild = await import("esbuild");
  const [pages, assets] = await Promise.all([
    esbuild.build({ ...shared, entryPoints: ["views.tsx"], platform: "node", sourcemap: "inline" }),
    esbuild.build({ ...shared, entryPoints: ["client.ts", "styles/page.css"], platform: "browser", minify: true }),
  ]);
  // esbuild's compiler is a process of its own, which would otherwise stay for as long as ours.
  await esbuild.stop();
  const textOf = (extension: string, { outputFiles }: Readonly<{ outputFiles: readonly Output[] }>): string => {
    const file = outputFiles.find(({ path }) => path.endsWith(extension));
    if (file === undefined) throw new Error(`The console has no ${extension}`);
    return file.text;
  };
  const module = Buffer.from(textOf("views.js", pages)).toString("base64");
  const built: Pick<Assembled, "renderView"> = await import(`data:text/javascript;base64,${module}`);
  return { renderView: built.renderView, script: textOf("client.js", assets), style: textOf(".css", assets) };
}

type Output = Readonly<{ path: string; text: string }>;
