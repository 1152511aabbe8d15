import { contact, line, pageUrl, type Read, Unreadable } from "@intents/deployment/settings.ts";

/** The options that tell payers who takes their money: their names for `-c`, their settings, and how they are read. */
const options = {
  legalName: { setting: "LEGAL_NAME", read: line },
  licence: { setting: "LICENCE", read: line },
  supportContact: { setting: "SUPPORT_CONTACT", read: contact },
  privacyUrl: { setting: "PRIVACY_URL", read: pageUrl },
  termsUrl: { setting: "TERMS_URL", read: pageUrl },
  complaintsUrl: { setting: "COMPLAINTS_URL", read: pageUrl },
} as const satisfies Record<string, { setting: string; read: Read<string> }>;

type ImprintName = keyof typeof options;

export const imprintNames = Object.keys(options) as readonly ImprintName[];

/** The options that a deployment gives. */
export type ImprintOptions = Readonly<Partial<Record<ImprintName, string>>>;

/** The options in a context. `refuse` is told a wrong one: its name, and the reason. */
export function readImprint(
  context: (name: ImprintName) => string | undefined,
  refuse: (reason: string) => never,
): ImprintOptions {
  const read = imprintNames.map((name) => {
    const value = context(name);
    if (value === undefined) return [];
    try {
      return [[name, options[name].read(value)]];
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return refuse(`${name} ${error.message}`);
    }
  });
  return Object.fromEntries(read.flat()) as ImprintOptions;
}

/** The settings of functions that a deployment's options become. */
export const imprintSettings = (given: ImprintOptions): Readonly<Record<string, string>> =>
  Object.fromEntries(imprintNames.flatMap((name) => (given[name] ? [[options[name].setting, given[name]]] : [])));
