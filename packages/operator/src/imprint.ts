import { contact, line, pageUrl, type Read, Unreadable } from "@intents/deployment/settings.ts";
import { type Imprint, imprintFields } from "@intents/domain/parties/imprint.ts";
import { type Command, InvalidArgumentError, Option } from "commander";

/** Parses a text as the setting of a stage is read; an empty one takes the tenant's own back. */
const readBy = (read: Read<string>) => (value: string) => {
  if (value === "") return value;
  try {
    return read(value);
  } catch (error) {
    if (error instanceof Unreadable) throw new InvalidArgumentError(`it ${error.message}`);
    throw error;
  }
};

/** Adds the options that tell a tenant's payers who takes their money, in place of the stage's settings. */
export const withImprint = (command: Command): Command =>
  [
    new Option("--legal-name <name>", 'legal name that its payers see; "" removes it').argParser(readBy(line)),
    new Option("--licence <text>", "the licence of the legal name").argParser(readBy(line)),
    new Option("--support-contact <contact>", "where payers ask: e-mail, telephone or https address").argParser(
      readBy(contact),
    ),
    new Option("--privacy-url <url>", "the privacy notice").argParser(readBy(pageUrl)),
    new Option("--terms-url <url>", "the terms").argParser(readBy(pageUrl)),
    new Option("--complaints-url <url>", "where payers complain").argParser(readBy(pageUrl)),
  ].reduce((changed, option) => changed.addOption(option), command);

/** The fields of an imprint among what changes of a tenant, and the rest. */
export function apartFromImprint<Changes extends Imprint>(changes: Changes) {
  const own = Object.entries(changes).filter(([name]) => isField(name));
  const rest = Object.entries(changes).filter(([name]) => !isField(name));
  return {
    imprint: Object.fromEntries(own) as Imprint,
    rest: Object.fromEntries(rest) as Omit<Changes, keyof Imprint>,
  };
}

const isField = (name: string): boolean => (imprintFields as readonly string[]).includes(name);

/** A tenant's imprint with changes, among which an empty text takes a field back; undefined where nothing is left. */
export function changedImprint(before: Imprint | undefined, changes: Imprint): Imprint | undefined {
  const left = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== "");
  return left.length === 0 ? undefined : (Object.fromEntries(left) as Imprint);
}
