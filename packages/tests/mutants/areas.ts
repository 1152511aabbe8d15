/** Sources that Stryker mutates, and the score in percent below which a run fails. The package's units judge its mutants. */
type Area = Readonly<{ mutate: readonly string[]; scoreMin: number }>;
export type AreaName = "domain" | "execution";

const inFolders = (source: string, folders: string): string[] =>
  folders.split(" ").map((folder) => `${source}/${folder}/**/*.ts`);

/** The code that decides, prices, books and moves money. */
export const areas: Readonly<Record<AreaName, Area>> = {
  domain: {
    mutate: [
      ...inFolders("packages/domain/src", "amounts quotes ledger money-state batches commissions intents"),
      "!packages/domain/src/amounts/exchange-rates-table.ts",
    ],
    scoreMin: 92,
  },
  execution: { mutate: inFolders("packages/execution/src", "submit settle asking batches operations"), scoreMin: 0 },
};

/** A part of each area, for ten minutes: the books, and how rails' answers change payments. */
export const sample: Readonly<Record<AreaName, Area>> = {
  domain: { mutate: inFolders("packages/domain/src", "ledger money-state"), scoreMin: 92 },
  execution: { mutate: ["packages/execution/src/settle/{call-off,commissions}.ts"], scoreMin: 60 },
};
