import { existsSync, readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";

/**
 * The bundling step puts this into every bundle (infra/bundle.ts). In Lambda, stacks name places in the sources: the map
 * beside a bundle is read once the first stack is asked for, which is when a fault is logged. Node's own
 * --enable-source-maps reads it at every cold start.
 */
if (process.env["AWS_LAMBDA_FUNCTION_NAME"] !== undefined)
  Error.prepareStackTrace = (error, sites) =>
    [String(error), ...sites.map((site) => `    at ${describe(site)}`)].join("\n");

const maps = new Map<string, SourceMap | undefined>();

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) {
    const beside = `${file}.map`;
    const payload = existsSync(beside) ? (JSON.parse(readFileSync(beside, "utf8")) as SourceMapPayload) : undefined;
    maps.set(file, payload && new SourceMap(payload));
  }
  return maps.get(file);
}

/** A call as V8 tells it, at its place in the source. */
function describe(site: NodeJS.CallSite): string {
  const [file, line, column] = [site.getFileName(), site.getLineNumber(), site.getColumnNumber()];
  if (file === null || file === undefined || line === null || column === null) return String(site);
  const entry = mapOf(file)?.findEntry(line - 1, column - 1);
  if (entry === undefined || !("originalSource" in entry)) return String(site);
  const source = entry.originalSource.replace(/^(\.\.\/)+/, "");
  return String(site).replace(
    `${file}:${line}:${column}`,
    () => `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`,
  );
}
