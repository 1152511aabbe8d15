import { intentPrivacy } from "@intents/domain/answers/privacy.ts";
import { legPrivacy } from "@intents/domain/batches/privacy.ts";
import { commissionPrivacy } from "@intents/domain/commissions/privacy.ts";
import { newRecordId } from "@intents/domain/ids.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { linkTermsPrivacy } from "@intents/domain/links/privacy.ts";
import { eraseFrom, type Rows } from "@intents/domain/privacy/erasure.ts";
import { eraseSubject } from "@intents/execution/subjects/erase.ts";
import { railPaymentPrivacy } from "@intents/rails/sandbox/privacy.ts";
import { addParty } from "@intents/storage/parties/parties.ts";
import { type Item, scanItems } from "./items.ts";
import { must } from "./ledger.ts";
import type { Random } from "./random.ts";
import type { SimulatedWorld } from "./world.ts";

/** A person whom payments name: a saved student, or a payer of a link. The surname stands in no other text. */
type Person = Readonly<{ tenantId: string; partyId?: string; firstName: string; lastName: string; email: string }>;
export type People = ReturnType<typeof openPeople>;

/** The people behind all payments. Some of them ask to be forgotten, and no payment names them after that. */
export function openPeople({ table, railTableName, run, clock }: SimulatedWorld, random: Random) {
  const people: Person[] = [];
  const forgotten = new Set<Person>();
  const remembered = (tenantId: string) =>
    people.filter((person) => person.tenantId === tenantId && !forgotten.has(person));

  function add(tenantId: string, partyId?: string): Person {
    const lastName = `Surname${people.length}x`;
    const email = `${lastName.toLowerCase()}@example.com`;
    const person = { tenantId, firstName: "Ana", lastName, email, ...(partyId !== undefined && { partyId }) };
    people.push(person);
    return person;
  }

  /** The id of a student: of a new one at times, mostly of one whom other payments name as well. */
  async function chooseStudent(tenantId: string): Promise<string> {
    const known = remembered(tenantId).flatMap(({ partyId }) => partyId ?? []);
    if (known.length > 0 && random.chance(0.8)) return random.pick(known);
    const _id = newRecordId(run.now(), random.bytes);
    const { firstName, lastName, email } = add(tenantId, _id);
    const at = new Date(clock.ms).toISOString();
    await addParty(table, tenantId, "STUDENT", { _id, firstName, lastName, email, createdAt: at, updatedAt: at });
    return _id;
  }

  const names = ({ payer, executions, submission }: PaymentIntent, { partyId, email }: Person): boolean =>
    (partyId !== undefined && payer?.partyId === partyId) ||
    [payer?.details, submission?.payer, ...executions.map((execution) => execution.payer)].some(
      (details) => details?.email === email,
    );

  const erase = ({ tenantId, email }: Person) => eraseSubject(run, { tenantId, email });

  return {
    chooseStudent,
    newPayer: (tenantId: string) => {
      const { firstName, lastName, email } = add(tenantId);
      return { firstName, lastName, email };
    },
    /** A person who asks to be forgotten from now on; undefined where there is none. */
    forgetOne: (tenantId: string): Person | undefined => {
      const known = remembered(tenantId);
      if (known.length === 0) return undefined;
      const person = random.pick(known);
      forgotten.add(person);
      return person;
    },
    erase,
    /** Whether somebody whom the intent names, as it is or was, has asked to be forgotten. */
    isForgotten: (versions: readonly PaymentIntent[]): boolean =>
      [...forgotten].some((person) => versions.some((intent) => names(intent, person))),
    /** Erases once more all who asked for it, now that every payment has ended. */
    finish: async () => {
      for (const person of forgotten) {
        const { waiting, failed } = await erase(person);
        must(waiting.length + failed.length === 0, `${person.lastName} is left in ${waiting}`);
      }
    },
    /** Checks that nothing is stored of those who were erased, neither here nor at a simulated rail. */
    check: async () => {
      for (const name of [table.name, railTableName]) {
        for (const item of await scanItems(table, name)) {
          const text = JSON.stringify(item).toLowerCase();
          const left = [...forgotten].find(({ lastName }) => text.includes(lastName.toLowerCase()));
          must(left === undefined, `${left?.lastName} is erased, and named in ${item["PK"]} ${item["SK"]}`);
          checkFields(item);
        }
      }
    },
  };
}

/** The stored text of an item, and the table of its fields. */
const tables: readonly Readonly<{ sort: RegExp; text: string; rows: Rows }>[] = [
  { sort: /^INTENT$/, text: "doc", rows: intentPrivacy },
  { sort: /^RESPONSE$/, text: "body", rows: { data: intentPrivacy } },
  { sort: /^LEG#/, text: "doc", rows: legPrivacy },
  {
    sort: /^LINK$/,
    text: "doc",
    rows: { tenantId: "not personal", intentId: "not personal", terms: linkTermsPrivacy },
  },
  { sort: /^COMMISSION$/, text: "doc", rows: commissionPrivacy },
  { sort: /./, text: "payment", rows: railPaymentPrivacy },
];

/** Checks that each stored field has a row: without one, the erasure of nobody would change the record. */
function checkFields(item: Item): void {
  for (const { sort, text, rows } of tables) {
    const stored = sort.test(String(item["SK"])) ? item[text] : undefined;
    if (typeof stored !== "string") continue;
    const left = JSON.stringify(eraseFrom<object>(JSON.parse(stored), rows, []));
    must(left === stored, `${item["PK"]} ${item["SK"]} has a field without a row: ${stored}, not ${left}`);
  }
}
