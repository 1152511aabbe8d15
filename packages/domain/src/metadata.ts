/** A tenant's notes on a record, by keys of its own. */
export type Metadata = Readonly<Record<string, string>>;

/** Values that replace those of their keys; null removes a key. */
export type MetadataChanges = Readonly<Record<string, string | null>>;

/** A filter can name each key: a point would lead into an object, and a `$` begins an operator. */
export const METADATA_KEY = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;
export const METADATA_KEYS_MAX = 20;
export const METADATA_VALUE_MAX = 500;

/** Metadata with changes laid over it. */
export const mergeMetadata = (before: Metadata | undefined, changes: MetadataChanges): Metadata =>
  Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter((entry): entry is [string, string] => entry[1] !== null),
  );

/** Whether it has some, and whether it has more than it may: of changes, only the result tells. */
export const hasMetadata = (metadata: Metadata | undefined): metadata is Metadata =>
  metadata !== undefined && Object.keys(metadata).length > 0;
export const hasTooMuch = (metadata: Metadata = {}): boolean => Object.keys(metadata).length > METADATA_KEYS_MAX;

export const TOO_MUCH = `metadata must have at most ${METADATA_KEYS_MAX} keys`;
