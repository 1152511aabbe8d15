import { createHash } from "node:crypto";
import type { Obstacle } from "@intents/execution/operations/obstacle.ts";
import type { OperatorChange } from "@intents/storage/audit/operators.ts";
import { addProposal, findProposal, takeProposal } from "@intents/storage/operations/proposals.ts";
import { sentenceOf } from "./obstacles.ts";
import { print } from "./output.ts";
import { Refusal } from "./refusal.ts";
import type { Session } from "./session.ts";

/** The time in which a second person has to agree. */
export const PROPOSAL_MS = 24 * 60 * 60 * 1000;

type Means = Pick<Session, "table" | "settings" | "format">;

/**
 * Lets a permitted change through. Where the stage asks for two persons, the first call proposes exactly this change
 * and ends by a refusal. Only the same call by another person passes; a crash after that costs a new proposal
 * (Decision 022). `whyNot` refuses an impossible change before any proposal.
 */
export async function requireAgreement(
  session: Means,
  tenantId: string,
  change: OperatorChange,
  whyNot: () => Promise<Obstacle | undefined> = async () => undefined,
): Promise<void> {
  const { table } = session;
  const { TWO_PERSONS } = await session.settings();
  if (TWO_PERSONS === "off") return;
  const obstacle = await whyNot();
  if (obstacle !== undefined) throw new Refusal(sentenceOf(obstacle));
  const { operator, reason, action, atMs, data } = change;
  const key = { tenantId, wish: digestOf(change) };
  if (/:federated-user\//.test(operator))
    throw new Refusal("Whoever asks for a federated session names it: use a user of IAM or of Identity Center");
  const known = await findProposal(table, key);
  if (known !== undefined && atMs < Date.parse(known.expiresAt)) {
    if (personOf(known.operator) === personOf(operator))
      throw new Refusal(`You proposed this on ${known.at}, as ${known.operator}: another person has to carry it out`);
    const agreed = { ...change, action: `${action}.agree`, data: { ...data, proposedBy: known.operator } };
    if (await takeProposal(table, key, known, agreed)) return;
  } else {
    const expiresAt = new Date(atMs + PROPOSAL_MS).toISOString();
    const proposal = { operator, reason, at: new Date(atMs).toISOString(), expiresAt };
    const proposed = { ...change, action: `${action}.propose` };
    if (await addProposal(table, key, known, proposal, proposed)) {
      const note = "another person carries it out by the same command";
      print(session, { proposed: action, ...data, by: operator, expiresAt, note });
      throw new Refusal("", "proposed");
    }
  }
  throw new Refusal("Somebody else was faster: look, and try again");
}

/**
 * The person behind an identity of AWS, as far as AWS vouches for one. Whoever may assume a role names the
 * session as they like: all sessions of a role are one person. IAM Identity Center names sessions itself, by
 * the user, who is the same person in all of its roles.
 */
const personOf = (identity: string): string =>
  identity
    .replace(/:assumed-role\/AWSReservedSSO_[^/]+\//, ":user-of-identity-center/")
    .replace(/:(assumed-role\/[^/]+)\/.+$/, ":$1");

type Wish = Pick<OperatorChange, "action"> & Readonly<{ data?: OperatorChange["data"] | undefined }>;

/** The change without who, when and why; the order of options on the command line does not matter. */
export const digestOf = ({ action, data = {} }: Wish): string =>
  createHash("sha256")
    .update(JSON.stringify([action, Object.entries(data).toSorted()]))
    .digest("hex");
