import { type KeyName, keyKinds } from "@intents/storage/table/key-kinds.ts";

const isKnown = (name: string): name is KeyName => Object.hasOwn(keyKinds, name);

/**
 * The keys that a bundle makes, by the names in the table of kinds. Throws on a use of the key builder that cannot be
 * read from the code, so that none is overlooked.
 */
export function keysNamedIn(code: string): readonly KeyName[] {
  const words = new Set(code.match(/\w+/g)?.map((word) => word.replace(/\d+$/, "")));
  const alone = Object.keys(keyKinds).filter((name) => /Key$|Shard$|^SWEPT$|^parse/.test(name) && words.has(name));
  const ofTenants = [...code.matchAll(/(?<!function )\bkeysOf\d*\b/g)].flatMap(({ index }) => membersAt(code, index));
  return [...new Set([...alone, ...ofTenants])].filter(isKnown).toSorted();
}

/** The members of a tenant's keys used at this place: directly, or by the constant that holds the keys. */
function membersAt(code: string, index: number): string[] {
  const [, member] = /^keysOf\d*\([\w.$"]*\)(\.\w+(?:\([^)]*)?)/.exec(code.slice(index, index + 300)) ?? [];
  if (member !== undefined) return namesOf(member);
  const [, holder] = /const (\w+) = $/.exec(code.slice(Math.max(0, index - 100), index)) ?? [];
  const isHeld = /^keysOf\d*\([\w.$"]*\);/.test(code.slice(index, index + 300));
  if (holder === undefined || !isHeld) throw new Error(`The keys are not known of: ${code.slice(index, index + 60)}`);
  const members = code.match(new RegExp(`(?<=\\b${holder})\\.\\w+(?:\\([^)]*)?`, "g")) ?? [];
  return members.filter((one) => isMember(nameIn(one))).flatMap(namesOf);
}

const nameIn = (member: string): string => /\w+/.exec(member)?.[0] ?? "";
const isMember = (name: string): boolean => isArea(name) || isKnown(name);
/** Names of objects begin with an area, which is an argument. */
const isArea = (name: string): boolean => name === "object" || name === "storedObject";

function namesOf(member: string): string[] {
  const name = nameIn(member);
  const names = isArea(name) ? [...member.matchAll(/"(\w+)"/g)].map(([, area]) => `${name} ${area}`) : [name];
  if (names.length === 0 || !names.every(isKnown)) throw new Error(`The keys are not known of: ${member}`);
  return names;
}
