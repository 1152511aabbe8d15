import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { type File, files, root } from "./tidy-fixture.ts";

// Sources and documents give their reasons by citation: `H12`, `DESIGN 5`, `Decision 003`, `SPEC, Querying`, a link.
// Every citation leads to a text in the repository.

const textOf = (path: string): string => files.find((file) => file.path === path)?.text ?? "";

const captured = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, group = ""]) => group);

const hazards = captured(textOf("docs/hazards.md"), /^\| <a id="h(\d+)"><\/a>H\1 \| \S/gm);
/** The subjects of each section of the design: the bold words at the beginning of its paragraphs. */
const sections = new Map(
  textOf("docs/design.md")
    .split(/^## (?=\d)/m)
    .slice(1)
    .map((section) => [Number.parseInt(section, 10), captured(section, /^\*\*(.+?)\.\*\*/gm)]),
);
const rules = captured(textOf("docs/specification.md"), /^(\d+)\. \S/gm);
const topics = captured(textOf("docs/specification.md"), /^- (\*\*.+?\*\*): \S/gm).flatMap((names) =>
  captured(names.toLowerCase(), /\*\*(.+?)\*\*/g),
);
const decisions = files.filter(({ path }) => path.startsWith("docs/decisions/"));
const decisionNumbers = decisions.map(
  ({ path }) => /^docs\/decisions\/(\d{3})-[a-z0-9-]+\.md$/.exec(path)?.[1] ?? path,
);

/** A text without the marks that continue a comment on a new line, because a citation may span two lines. */
const joined = (text: string): string => text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/)?[ \t]*/g, " ");
const withoutBlocks = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, "");
const withoutCode = (text: string): string => withoutBlocks(text).replace(/`[^`\n]*`/g, "");

/** A kind of citation: the text to search, the pattern to find, and whether a found citation leads somewhere. */
type Grammar = Readonly<{
  reads: (file: File) => string;
  cites: RegExp;
  leads: (found: RegExpExecArray, citing: string) => boolean;
}>;

const prose = ({ text }: File): string => joined(text);
const markdown = ({ path, text }: File): string => (path.endsWith(".md") ? text : "");

const all = (numbers: string, known: readonly string[]): boolean =>
  numbers.split(/\D+/).every((number) => known.includes(number));
const exists = (path: string): boolean => existsSync(join(root, path));

const grammars: Readonly<Record<string, Grammar>> = {
  hazard: {
    reads: prose,
    // The name of an HTML element is no citation; it stands in quotes: "H1".
    cites: /(?<![\w#.-])H(\d+)(?![\w-]|(?<=["'`]H\d+)["'`])/g,
    leads: ([, number = ""]) => hazards.includes(number),
  },
  design: {
    reads: prose,
    cites: /\bDESIGN\b(?:(?:, section)? (\d+))?(?:, (?!Decision|SPEC|DESIGN|H\d)([A-Z][a-z]+))?/g,
    leads: ([, number, subject]) => {
      const subjects = sections.get(Number(number));
      return subjects !== undefined && (subject === undefined || subjects.includes(subject));
    },
  },
  decision: {
    reads: prose,
    cites: /\bDecisions? (\d+(?:(?:,| and) \d+)*)/g,
    leads: ([, numbers = ""]) => all(numbers, decisionNumbers),
  },
  rule: {
    reads: prose,
    // The number of a rule alone could be that of any list.
    cites: /(SPEC, behaviour )?\brules? (\d+(?:(?:,| and) \d+)*)/g,
    leads: ([, whose, numbers = ""]) => whose !== undefined && all(numbers, rules),
  },
  topic: {
    reads: prose,
    cites: /\bSPEC, (?!behaviour rules? \d)(?:"([^"]*)"|`([^`]*)`|(\[\w+\])|([A-Za-z][\w ]*))?/g,
    leads: ([, ...names]) =>
      topics.includes(
        names
          .find((name) => name !== undefined)
          ?.trim()
          .toLowerCase() ?? "",
      ),
  },
  document: { reads: prose, cites: /(?<![\w./-])docs\/[\w./-]*\w/g, leads: ([path]) => exists(path) },
  source: {
    reads: markdown,
    cites: /(?<![\w./-])(?:events|functions|infra|packages)\/[\w./-]*\w/g,
    leads: ([path]) => exists(path) || exists(`${path}.ts`),
  },
  link: {
    reads: (file) => withoutCode(markdown(file)),
    cites: /\]\(([^)\s]+)[^)]*\)|<(?:a|img)\b[^>]*?\b(?:href|src)="([^"]*)"|^\[[^\]]+\]: (\S+)/gm,
    leads: ([, ...targets], citing) => {
      const target = targets.find((each) => each !== undefined) ?? "";
      if (/^[a-z][a-z\d+.-]*:/.test(target)) return true;
      const [file = "", anchor] = target.split("#");
      const path = file === "" ? citing : join(dirname(citing), file);
      return exists(path) && (anchor === undefined || anchorsOf(textOf(path)).includes(anchor));
    },
  },
};

/** The anchors of a Markdown file: the targets of a `#`, as GitHub names headings. */
function anchorsOf(text: string): string[] {
  const headings = captured(withoutBlocks(text), /^#{1,6} +(.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
  return [...headings, ...captured(text, /<a id="([^"]+)">/g)];
}

/** All citations of a file, and whether each leads somewhere. */
const citationsOf = (file: File): { kind: string; said: string; leads: boolean }[] =>
  Object.entries(grammars).flatMap(([kind, { reads, cites, leads }]) =>
    [...reads(file).matchAll(cites)].map((found) => ({ kind, said: found[0], leads: leads(found, file.path) })),
  );

/** This file itself is left out, because it holds made-up citations. */
const citing = files.filter(
  ({ path }) =>
    /\.(ts|tsx|mjs|css|md)$|^docs\/.*\.yaml$/.test(path) && path !== "packages/tests/house/citations.test.ts",
);
const citations = citing.flatMap((file) => citationsOf(file).map((citation) => ({ path: file.path, ...citation })));

describe("citations", () => {
  test.each(Object.keys(grammars))("of the kind %s lead somewhere", (kind) => {
    const ofKind = citations.filter((citation) => citation.kind === kind);
    expect(ofKind.length).toBeGreaterThan(0);
    expect(ofKind.filter(({ leads }) => !leads).map(({ path, said }) => `${path}: ${said}`)).toEqual([]);
  });

  test.each([
    ["hazard", "/** Never twice (H1,\n * H0). */", "H0"],
    ["design", "// As drawn (DESIGN, section 99).", "DESIGN, section 99"],
    ["design", "// As drawn (DESIGN 17, Weather).", "DESIGN 17, Weather"],
    ["decision", "// So it was chosen (Decision 3).", "Decision 3"],
    ["decision", "// So it was chosen (Decisions 001 and 998).", "Decisions 001 and 998"],
    ["rule", "// Nobody else may (SPEC, behaviour\n// rules 4 and 50).", "SPEC, behaviour rules 4 and 50"],
    ["rule", "// Nobody else may (rule 4).", "rule 4"],
    ["topic", '// At most three (SPEC, "Weather").', 'SPEC, "Weather"'],
    ["topic", "// At most three (SPEC, [PAY9999]).", "SPEC, [PAY9999]"],
    ["document", "// Described in docs/weather.md.", "docs/weather.md"],
    ["source", "It stands in `packages/weather/src/wind.ts`.", "packages/weather/src/wind.ts"],
    ["link", "See [the weather](docs/weather.md).", "](docs/weather.md)"],
    ["link", "See [a row](docs/hazards.md#h67).", "](docs/hazards.md#h67)"],
    ["link", '<img src="docs/payer-page/weather.png" alt="">', '<img src="docs/payer-page/weather.png"'],
  ])("of the kind %s that lead nowhere are found: %s", (kind, text, said) => {
    const refused = citationsOf({ path: "planted.md", text }).filter(({ leads }) => !leads);
    expect(refused).toContainEqual({ kind, said, leads: false });
  });
});

test.each([
  ["hazards", hazards],
  ["rules of the specification", rules],
  ["decisions", decisionNumbers],
])("no two of the %s have one number", (_, numbers) => {
  expect(numbers.filter((number, at) => numbers.indexOf(number) < at)).toEqual([]);
});
