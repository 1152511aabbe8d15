import { type Correction, newestCorrections } from "../money-state/correction.ts";

/**
 * The faults of the copy that stands beside an intent, a sentence each; none when all is well. It must hold exactly the
 * corrections that count of `all`, because everybody but the books reads where the money is from it.
 */
export function copyProblems(all: readonly Correction[], copy: readonly Correction[]): string[] {
  const counted = new Map(newestCorrections(all).map((one) => [nameOf(one), one]));
  const copied = new Map(copy.map((one) => [nameOf(one), one]));
  const doubled = copy.length > copied.size ? ["the mark has two corrections of one recipient"] : [];
  const missing = [...counted]
    .filter(([name]) => !copied.has(name))
    .map(([, { number }]) => `the correction ${number} is missing in the mark`);
  const wrong = [...copied].flatMap(([name, one]) => {
    const correction = counted.get(name);
    if (correction === undefined) return [`the mark has a correction ${one.number} that was never made`];
    return fields
      .filter((field) => JSON.stringify(one[field]) !== JSON.stringify(correction[field]))
      .map((field) => `the mark has the ${field} ${toText(one[field])} instead of ${toText(correction[field])}`)
      .map((problem) => `${problem} in correction ${correction.number}`);
  });
  return [...doubled, ...missing, ...wrong];
}

const fields = ["number", "at", "outcome", "recordId", "payerAmount", "payeeAmount"] as const;

const nameOf = ({ executionId, order }: Correction): string => `${executionId} ${order}`;

const toText = (value: Correction[(typeof fields)[number]]): string =>
  typeof value === "object" ? `${value.amount} ${value.currency}` : String(value);
