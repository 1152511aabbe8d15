type Attribute = Readonly<{ name: string; type: "S" | "N" }>;

export type TableSchema = Readonly<{
  partitionKey: Attribute;
  sortKey: Attribute;
  /** Seconds since 1970 after which DynamoDB may delete the item; cleaning only, never a verdict (H13). */
  ttlAttribute: string;
  /** They hold keys alone: a change of a record costs only those whose keys it changes, and no copy is ever old. */
  indexes: readonly Readonly<{ name: string; partitionKey: Attribute; sortKey: Attribute }>[];
}>;

const text = (name: string): Attribute => ({ name, type: "S" });
const number = (name: string): Attribute => ({ name, type: "N" });

/** The single table, as the local store and the CDK app both make it. Keys and their meaning: keys.ts. */
export const mainTableSchema: TableSchema = {
  partitionKey: text("PK"),
  sortKey: text("SK"),
  ttlAttribute: "ttl",
  indexes: [
    // All records of a kind of one tenant, by id and therefore by creation.
    { name: "byCreation", partitionKey: text("listPK"), sortKey: text("listSK") },
    // The records that belong to one parent or one email address.
    { name: "byOwner", partitionKey: text("ownerPK"), sortKey: text("listSK") },
    // Intents, students and payers that their callers gave ids of their own, by them; sparse, because few have one.
    { name: "byExternalId", partitionKey: text("externalPK"), sortKey: text("listSK") },
    // The intents of a tenant, and those of one parent, by what they are counted as (H25).
    // The operators' registers of tenants and of keys lie in the first as well.
    { name: "byFacet", partitionKey: text("facetPK"), sortKey: text("listSK") },
    { name: "byOwnerFacet", partitionKey: text("ownerFacetPK"), sortKey: text("listSK") },
    // The records of a kind of one tenant by their last change (Decision 017).
    { name: "byChange", partitionKey: text("listPK"), sortKey: text("changeSK") },
    // Timers by their due time; the index is sparse, because only live intents have a timer.
    { name: "byDue", partitionKey: text("dueShard"), sortKey: number("dueAt") },
    // Payments that wait for a rail, by rail and start; the sort key holds everything that sets the asking times.
    { name: "byWatch", partitionKey: text("watchPK"), sortKey: text("watchSK") },
  ],
};

/** The table of the simulated rails, which keep their state apart, as another company would. */
export const railTableSchema: TableSchema = {
  partitionKey: text("PK"),
  sortKey: text("SK"),
  ttlAttribute: "ttl",
  indexes: [],
};

/** The disposable table, for counts of a window and the days on which keys were used: losing it does no harm (H54). */
export const windowTableSchema: TableSchema = { ...railTableSchema };
