import { randomUUID } from "node:crypto";
import {
  IdempotencyInconsistentStateError,
  IdempotencyItemAlreadyExistsError,
  IdempotencyRecordStatus,
} from "@aws-lambda-powertools/idempotency";
import { BasePersistenceLayer, IdempotencyRecord } from "@aws-lambda-powertools/idempotency/persistence";
import { bindKey, KEY_LIFETIME_MS, type KeyBinding } from "@intents/storage/intents/submissions.ts";
import type { Table } from "@intents/storage/table/table.ts";

/**
 * The store for Powertools' record of one Idempotency-Key. A takeover from a dead worker compares payloads, a run that
 * leaves nothing to keep leaves the key bound to its payload, the 24 hours begin with the first request, and a worker
 * that was taken over writes nothing any more. Powertools' own store does none of these (Decision 006).
 */
export class KeyRecord extends BasePersistenceLayer {
  readonly #bind: (before: KeyBinding | undefined, after: KeyBinding) => Promise<KeyBinding | undefined>;
  /** The binding of the key as this request holds it. */
  #held: KeyBinding | undefined;

  /** The binding as it was found before, if it was looked for. */
  readonly #found: KeyBinding | undefined;

  constructor(
    table: Table,
    key: Readonly<{ tenantId: string; keyHash: string }>,
    { binding }: Readonly<{ binding?: KeyBinding }> = {},
  ) {
    super();
    this.#found = binding;
    this.#bind = (before, after) => bindKey(table, key, before, after);
  }

  /** Leaves the key as it is from now on. */
  leave(): void {
    this.#held = undefined;
  }

  protected override async _putRecord(record: IdempotencyRecord): Promise<void> {
    const { payloadHash = "", inProgressExpiryTimestamp: busyUntilMs = 0 } = record;
    const nowMs = Date.now();
    // A kept answer stays as it is, so that a replay needs no write.
    const isKept = this.#found?.kept !== undefined && this.#found.firstSeenMs > nowMs - KEY_LIFETIME_MS;
    if (isKept) throw new IdempotencyItemAlreadyExistsError("", toRecord(this.#found, record));
    const first: KeyBinding = { payloadHash, firstSeenMs: nowMs, holder: randomUUID(), busyUntilMs };
    const found = await this.#bind(undefined, first);
    const isOurs = found !== first && found?.payloadHash === payloadHash;
    const isLeft = isOurs && found.kept === undefined && found.busyUntilMs < nowMs;
    const wanted = isLeft ? { ...first, firstSeenMs: found.firstSeenMs } : first;
    const bound = isLeft ? await this.#bind(found, wanted) : found;
    if (bound !== wanted) throw new IdempotencyItemAlreadyExistsError("", bound && toRecord(bound, record));
    this.#held = wanted;
  }

  protected override async _updateRecord({ responseData }: Partial<IdempotencyRecord>): Promise<void> {
    if (this.#held === undefined) return;
    const left = responseData === undefined ? { busyUntilMs: 0 } : { kept: JSON.stringify(responseData) };
    await this.#bind(this.#held, { ...this.#held, ...left });
  }

  protected override async _deleteRecord(): Promise<void> {
    await this._updateRecord({});
  }

  /** Powertools calls this only when the key was freed while it was to be taken over: it then begins again. */
  protected override async _getRecord(): Promise<IdempotencyRecord> {
    throw new IdempotencyInconsistentStateError("The key has just been freed");
  }
}

const toRecord = ({ payloadHash, firstSeenMs, kept }: KeyBinding, { idempotencyKey }: IdempotencyRecord) =>
  new IdempotencyRecord({
    idempotencyKey,
    payloadHash,
    expiryTimestamp: (firstSeenMs + KEY_LIFETIME_MS) / 1000,
    status: kept === undefined ? IdempotencyRecordStatus.INPROGRESS : IdempotencyRecordStatus.COMPLETED,
    ...(kept !== undefined && { responseData: JSON.parse(kept) }),
  });
