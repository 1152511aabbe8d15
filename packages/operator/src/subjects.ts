import { createHash, randomUUID } from "node:crypto";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { eraseSubject } from "@intents/execution/subjects/erase.ts";
import { exportSubject } from "@intents/execution/subjects/export.ts";
import { type FoundParty, findParties, type SubjectQuery } from "@intents/execution/subjects/find.ts";
import { operatorAudit } from "@intents/storage/audit/operators.ts";
import type { FailedItem } from "@intents/storage/table/in-turns.ts";
import { transact } from "@intents/storage/table/transact.ts";
import { type Command, Option } from "commander";
import { strToU8, zipSync } from "fflate";
import { print } from "./output.ts";
import { Refusal } from "./refusal.ts";
import { openSession, type Session } from "./session.ts";
import { tenantOption } from "./tenants.ts";

type Options = Readonly<{ tenant: string; email?: string; party?: string }>;

export function subjectCommands(program: Command): void {
  const subjects = program.command("subjects").description("personal data of one person");
  subjectCommand(subjects, "export", "writes a person's data into a zip of JSON and files")
    .requiredOption("--out <file>", "the zip")
    .action(async (options: Options & Readonly<{ out: string }>, command: Command) => {
      await exportTo(await openSession(command), askedFor(options), options.out);
    });
  subjectCommand(subjects, "erase", "erases a person for good; open payments of the person must end first").action(
    async (options: Options, command: Command) => {
      await erase(await openSession(command), askedFor(options));
    },
  );
}

const subjectCommand = (subjects: Command, name: string, says: string): Command =>
  subjects
    .command(name)
    .description(says)
    .addOption(tenantOption())
    .addOption(new Option("--email <email>", "the person's e-mail address").conflicts("party"))
    .option("--party <id>", "id of one saved student or payer");

function askedFor({ tenant: tenantId, email, party: partyId }: Options): SubjectQuery {
  // An empty one is a script's variable that has no value.
  if (email) return { tenantId, email };
  if (partyId) return { tenantId, partyId };
  throw new Refusal("Say who: --email or --party", "usage");
}

async function exportTo(session: Session, asked: SubjectQuery, out: string): Promise<void> {
  if (existsSync(out)) throw new Refusal(`${out} is there already: name a new file`, "usage");
  // It comes first, so that what cannot be written is not recorded as exported, and gets its name last, so that what was
  // broken off is not taken for an export.
  const part = `${out}.${process.pid}.part`;
  writing(out, () => writeFileSync(part, "", { mode: 0o600, flag: "wx" }));
  try {
    await record(session, "subjects.export", asked);
    const reader = { by: "export" as const, operator: session.operation().operator, requestId: randomUUID() };
    const { files, failed, ...records } = await exportSubject(await session.run(), asked, reader);
    if (Object.values(records).every((list) => list.length === 0)) throw new Refusal("Nobody was found");
    const texts = Object.entries(records).map(([name, list]) => [
      `${name}.json`,
      strToU8(`${JSON.stringify(list, null, 2)}\n`),
    ]);
    const zip = zipSync(Object.fromEntries([...texts, ...files]));
    writing(out, () => {
      writeFileSync(part, zip);
      renameSync(part, out);
    });
    const counts = Object.entries(records).map(([name, list]) => [name, list.length]);
    print(session, { ...Object.fromEntries(counts), file: out });
    if (failed.length > 0) throw new Refusal(`The file lacks what could not be read: ${failureLines(failed)}`);
  } finally {
    rmSync(part, { force: true });
  }
}

/** Refuses in one line what the disk refuses, such as `ENOSPC: no space left on device`. */
function writing(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const [why] = String(Object(error).message).split(", ");
    throw new Refusal(`${path} cannot be written: ${why}`, "usage");
  }
}

async function erase(session: Session, asked: SubjectQuery): Promise<void> {
  const who = "email" in asked ? asked.email : `party ${asked.partyId}`;
  await session.confirm(`Erase ${who} of tenant ${asked.tenantId} for good?`);
  await record(session, "subjects.erase", asked);
  const erased = await eraseSubject(await session.run(), asked);
  const { failed, ...done } = erased;
  print(session, { ...done, ...(failed.length > 0 && { failed: failed.map(({ about }) => about) }) });
  const { parties, intents, waiting } = erased;
  if (failed.length > 0)
    throw new Refusal(`Not all is erased: repeat it once the cause is gone: ${failureLines(failed)}`);
  if (waiting.length > 0) throw new Refusal("Not all is erased: repeat it once the waiting payments have ended");
  if (parties + intents === 0) throw new Refusal("Nobody was found, or nothing is left");
}

/** The names of failed items, and the first reason. */
const failureLines = (failed: readonly FailedItem[]): string =>
  `${failed.map(({ about }) => about).join(", ")} (${failed[0]?.reason})`;

function namesOf({ party }: FoundParty): (string | undefined)[] {
  const { firstName, lastName } = "payerType" in party ? (party.profile ?? {}) : party;
  return [firstName, lastName];
}

/** Refuses words for the audit that tell who the person is: an e-mail, whosever it is, or a saved party's name. */
async function refuseNames(session: Session, asked: SubjectQuery): Promise<void> {
  const { reason } = session.operation();
  const names = (await findParties(session.table, asked)).flatMap(namesOf);
  const words: readonly string[] = reason.toLowerCase().match(/[\p{L}\p{M}\p{N}'’-]+/gu) ?? [];
  const namesPerson = names.some((name) => name !== undefined && words.includes(name.toLowerCase()));
  if (namesPerson || reason.includes("@")) {
    throw new Refusal("The reason is kept for good, and must not tell the person's name or e-mail: name the request");
  }
}

/** The audit is never erased: of an e-mail it holds a digest, by which only who knows the e-mail finds the entry. */
async function record(session: Session, action: string, asked: SubjectQuery): Promise<void> {
  await refuseNames(session, asked);
  const who =
    "email" in asked
      ? { emailHash: createHash("sha256").update(asked.email.toLowerCase()).digest("hex") }
      : { partyId: asked.partyId };
  const entry = operatorAudit(session.table, asked.tenantId, session.change(action, who));
  const { done } = await transact(session.table, () => [entry]);
  if (!done) throw new Error("A new audit entry's key is already in use");
}
