import { createHash } from "node:crypto";
import type { Key } from "./keys.ts";

// Keys outside of a tenant's own: of records that are looked up before the tenant is known, of settings and of shards.

export const apiKeyKey = (clientId: string): Key => ({ PK: `APIKEY#${clientId}`, SK: "APIKEY" });

/** The list of all tenants, in an index. */
export const tenantRegisterKey = "REGISTER#TENANTS";

/** The operators' list of a tenant's keys: the index holds ids only, hashes of secrets lie in the key's own record alone. */
export const registerKey = (tenantId: string): string => `REGISTER#APIKEYS#${tenantId}`;

export const linkKey = (token: string): Key => ({ PK: `LINK#${token}`, SK: "LINK" });
export const payeeKey = (payeeId: number): Key => ({ PK: `PAYEE#${payeeId}`, SK: "PAYEE" });

/** Payment ids are unique over all tenants, because banks know a payment by nothing else. */
export const paymentKey = (paymentId: number): Key => ({ PK: `PAYMENT#${paymentId}`, SK: "PAYMENT" });

/** The place at which a job that goes through everything continues, and the time up to which watches were swept. */
export const cursorKey = (job: string): Key => ({ PK: `CURSOR#${job}`, SK: "CURSOR" });

/** A part of an intent that is too long to be written with every change, beside the intent in its partition. */
export const partKey = ({ PK }: Key, name: string): Key => ({ PK, SK: `PART#${name}` });

/** Whether callers are turned away. */
export const maintenanceKey: Key = { PK: "SETTING#MAINTENANCE", SK: "SETTING" };

/** The item that says over how many partitions timers and watches have ever been spread. */
export const spreadKey: Key = { PK: "SETTING#SPREAD", SK: "SETTING" };

/** The place of a record among those of its kind by their last change: ids break ties. */
export const changeKey = (updatedAt: string, id: string): string => `${updatedAt}#${id}`;

/** The state of a rail's answers. */
export const railKey = (rail: string): Key => ({ PK: `RAIL#${rail}`, SK: "RAIL" });

/** A payment that the rail answers no question about, beside how the rail answers. */
export const aloneKey = (rail: string, executionId: string): Key => ({
  PK: `RAIL#${rail}`,
  SK: `ALONE#${executionId}`,
});

/** A tenant's place for an endpoint, in the list of those of all tenants, through which the schedule goes. */
export const webhookRegisterKey = (tenantId: string, slot: number | string): Key => ({
  PK: "WEBHOOKS",
  SK: `${tenantId}#${slot}`,
});

/** The partition of the index of watches that those of an intent lie in. */
export const watchShard = (shard: number): string => `WATCH#${shard}`;

/** The partition of the timer index that an intent's timer lies in. */
export const dueShard = (shard: number): string => `DUE#${shard}`;

/** Spreads ids over `shards`, the same way every time. */
export const shardOf = (id: string, shards: number): number =>
  createHash("sha256").update(id).digest().readUInt32BE(0) % shards;
