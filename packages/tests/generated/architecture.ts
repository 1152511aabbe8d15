import { isProduct, packageOf, partOf, targetsOf } from "../house/imports.ts";
import { type File, sources } from "../house/tidy-fixture.ts";

/** The imports of each package or folder, by name. */
type Imports = ReadonlyMap<string, ReadonlySet<string>>;

const PROOF = "packages/tests";
/** A section of the page: a package, what it holds, and the parts that people have described. */
const SECTION = /^## (\S+)\n\n(.+?)\.(?: Imports [^.]+\.)?\n(?:\n```\n([\s\S]*?)```\n)?/gm;

/**
 * docs/architecture.md, made from all imports of the product. It keeps the page's beginning, and what it says that each
 * package and part is for. Throws for packages, and for described parts of one, that import each other in a circle.
 */
export function architecturePage(page: string, files: readonly File[] = sources): string {
  const head = page.slice(0, page.search(/^## /m));
  const described = new Map(
    [...page.matchAll(SECTION)].map(([, name = "", purpose = "", parts]) => [name, { purpose, parts }]),
  );
  const product = files.filter((file) => isProduct(file) && file.path.includes("/"));
  const packages = importsBetween(product, packageOf);
  const sections = fromTop(packages).map((name) => {
    const { purpose = "…", parts } = described.get(name) ?? {};
    const names = fromTop(packages, packages.get(name)).map((one) => one.replace("packages/", ""));
    const text = `## ${name}\n\n${purpose}. Imports ${names.length === 0 ? "nothing of ours" : names.join(", ")}.\n`;
    if (parts === undefined) return text;
    const own = product.filter(({ path }) => packageOf(path) === name);
    return `${text}\n${drawn(fromTop(importsBetween(own, partOf)), parts)}`;
  });
  const proof = new Set(files.flatMap(({ path }) => (packageOf(path) === PROOF ? partOf(path) : [])));
  const { purpose, parts = "" } = described.get(PROOF) ?? {};
  return [`${head}## ${PROOF}\n\n${purpose}.\n\n${drawn([...proof].toSorted(), parts)}`, ...sections].join("\n");
}

/** Which of these groups imports which other one. */
function importsBetween(files: readonly File[], groupOf: (path: string) => string): Imports {
  const groups = new Map(files.map(({ path }) => [groupOf(path), new Set<string>()]));
  const paths = new Set(files.map(({ path }) => path));
  for (const file of files)
    for (const target of targetsOf(file).filter((path) => paths.has(path))) {
      const [from, to] = [groupOf(file.path), groupOf(target)];
      if (from !== to) groups.get(from)?.add(to);
    }
  return groups;
}

/** The names, or some of them, each before those that it imports; otherwise in alphabetical order. */
function fromTop(imports: Imports, wanted: Iterable<string> = imports.keys()): string[] {
  const left = new Map([...imports].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  const order: string[] = [];
  while (left.size > 0) {
    const imported = new Set([...left.values()].flatMap((names) => [...names]));
    const top = [...left.keys()].find((name) => !imported.has(name));
    if (top === undefined) throw new Error(`These import each other in a circle: ${[...left.keys()].join(", ")}`);
    order.push(top);
    left.delete(top);
  }
  const some = new Set(wanted);
  return order.filter((name) => some.has(name));
}

/** Each part with what the page says about it. */
function drawn(parts: readonly string[], present: string): string {
  const purposes = new Map(
    [...present.matchAll(/^(\S+) +(.+)$/gm)].map(([, name = "", purpose = ""]) => [name, purpose]),
  );
  const width = Math.max(...parts.map((name) => name.length)) + 2;
  return `\`\`\`\n${parts.map((name) => name.padEnd(width) + (purposes.get(name) ?? "…")).join("\n")}\n\`\`\`\n`;
}
