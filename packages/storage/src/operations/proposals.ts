import { type OperatorChange, operatorAudit } from "../audit/operators.ts";
import { keysOf } from "../table/keys.ts";
import { findRecord, newRecord, replacedRecord } from "../table/records.ts";
import { type Table, toDoc } from "../table/table.ts";
import { transact } from "../table/transact.ts";

/** One operator's part of a change that takes two. */
export type Proposal = Readonly<{ operator: string; reason: string; at: string; expiresAt: string }>;

/** The proposed change: `wish` is a digest of all of it, so that nobody agrees to another one. */
export type ProposalKey = Readonly<{ tenantId: string; wish: string }>;

const keyOf = ({ tenantId, wish }: ProposalKey) => keysOf(tenantId).proposal(wish);

/** The proposal of a change, which may have expired. */
export const findProposal = (table: Table, key: ProposalKey) => findRecord<Proposal>(table, keyOf(key));

/** Stores a proposal in place of `expired`, if there was one; false when somebody else was faster. */
export async function addProposal(
  table: Table,
  key: ProposalKey,
  expired: Proposal | undefined,
  proposal: Proposal,
  change: OperatorChange,
): Promise<boolean> {
  const ttl = { ttl: Math.ceil(Date.parse(proposal.expiresAt) / 1000) };
  const put =
    expired === undefined
      ? newRecord(table, keyOf(key), proposal, ttl)
      : replacedRecord(table, keyOf(key), expired, proposal, ttl);
  const verdict = await transact(table, () => [
    { label: "proposal", write: { Put: put } },
    operatorAudit(table, key.tenantId, change),
  ]);
  return verdict.done;
}

/** Uses a proposal up, so that it serves one change only; false when somebody else was faster. */
export async function takeProposal(
  table: Table,
  key: ProposalKey,
  proposal: Proposal,
  change: OperatorChange,
): Promise<boolean> {
  const taken = {
    TableName: table.name,
    Key: keyOf(key),
    ConditionExpression: "doc = :proposal",
    ExpressionAttributeValues: { ":proposal": toDoc(proposal) },
  };
  const verdict = await transact(table, () => [
    { label: "proposal", write: { Delete: taken } },
    operatorAudit(table, key.tenantId, change),
  ]);
  return verdict.done;
}
