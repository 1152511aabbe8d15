import type { Search } from "@intents/storage/queue/queue.ts";

// The questions after one without any answer. A silent rail is told apart from payments at fault by one rule: a failed
// question's payments are at fault only once the rail has answered a later question.

/** The payments that a question is about, and what it says of others. */
export type Part<Payment> = Readonly<{ about: readonly Payment[]; search?: Search<Payment> }>;

/** A payment at fault. `isAsked`: it has failed in a question about it alone; else that is only concluded. */
export type AtFault<Payment> = Readonly<{ payment: Payment; isAsked: boolean }>;

/**
 * The next question after one that failed; undefined where it was about a single payment, to find out whether the rail
 * answers at all: it does not. `other` is asked about alone where there is no witness.
 */
export function afterFailure<Payment>(
  { about, search }: Part<Payment>,
  other: Payment | undefined,
): Part<Payment> | undefined {
  const { failed = [], rest, witness, isProbe = false } = search ?? {};
  if (isProbe) return undefined;
  const known = { failed: [...failed, about], ...(witness !== undefined && { witness }) };
  if (rest !== undefined) return { about: rest, search: known };
  const single = witness ?? other;
  return single === undefined ? undefined : { about: [single], search: { ...known, isProbe: true } };
}

/** Concludes from an answer, about earlier failed questions, which payments are at fault and which groups to divide. */
export function afterAnswer<Payment>(
  { about, search }: Part<Payment>,
  isSame: (one: Payment, other: Payment) => boolean,
): Readonly<{ parts: readonly Part<Payment>[]; atFault: readonly AtFault<Payment>[] }> {
  if (search === undefined) return { parts: [], atFault: [] };
  const [witness] = about;
  const groups = [
    ...search.failed.map((group) => ({ group, isAsked: group.length === 1 })),
    { group: search.rest ?? [], isAsked: false },
  ].map(({ group, isAsked }) => ({ group: group.filter((each) => !about.some((one) => isSame(one, each))), isAsked }));
  return {
    parts: groups.flatMap(({ group }) => (group.length > 1 ? dividedOf(group, witness) : [])),
    atFault: groups.flatMap(({ group: [payment, ...others], isAsked }) =>
      payment === undefined || others.length > 0 ? [] : { payment, isAsked },
    ),
  };
}

/** The question about the first half of a group that is at fault; if it is answered, the fault is in the other half. */
function dividedOf<Payment>(group: readonly Payment[], witness: Payment | undefined): Part<Payment> {
  const half = Math.floor(group.length / 2);
  const search = { failed: [], rest: group.slice(half), ...(witness !== undefined && { witness }) };
  return { about: group.slice(0, half), search };
}

/** All payments that a question speaks of. */
export const everyOf = <Payment>({ about, search }: Part<Payment>): Payment[] => [
  ...about,
  ...(search?.rest ?? []),
  ...(search?.failed.flat() ?? []),
];
