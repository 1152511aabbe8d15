import type { RandomBytes } from "@intents/domain/ids.ts";
import type { Milestone } from "@intents/domain/intents/milestone.ts";
import type { PaymentIntent } from "@intents/domain/intents/payment-intent.ts";
import { railNamedBy } from "@intents/domain/intents/rail-of.ts";
import type { HoldSettings } from "@intents/domain/links/hold.ts";
import type { PointSettings } from "@intents/domain/polling/points.ts";
import { railKeyOf } from "@intents/domain/rails/description.ts";
import type { Rail } from "@intents/domain/rails/rail.ts";
import type { Files } from "@intents/storage/files/files.ts";
import type { WatchPlace } from "@intents/storage/polling/watches.ts";
import type { CommissionsFollow } from "@intents/storage/reviews/reviews.ts";
import { batching } from "@intents/storage/table/batching.ts";
import type { Table } from "@intents/storage/table/table.ts";

/** The means of every step of an execution. */
export type Run = CommissionsFollow &
  Readonly<{
    table: Table;
    /** The bytes of documents. */
    files: Files;
    /** All configured rails; those that serve only some corridors come before the one that serves all. */
    rails: readonly Rail[];
    random: RandomBytes;
    /** The current time, milliseconds since 1970. Each step calls it anew, because the rail may have taken its time. */
    now: () => number;
    settings: ExecutionSettings;
    /** Is told what payments have passed, once it is stored. */
    note?: (milestone: Milestone) => void;
    /** Receives a batch recipient whose work failed, or about whom a person has to ask the rail. */
    warn?: (trouble: RecipientTrouble) => void;
  }>;

/** The run whose reads by key that start together are one call of the store. */
export const inOneCall = <Given extends Pick<Run, "table">>(run: Given): Given => ({
  ...run,
  table: batching(run.table),
});

/** A recipient of a batch whose work failed; without a fault, one that its batch lost track of. */
export type RecipientTrouble = Readonly<{ tenantId: string; intentId: string; order: number; fault?: unknown }>;

export type ExecutionSettings = PointSettings &
  HoldSettings &
  Readonly<{
    /** The time for which a claim keeps other workers away. */
    leaseMs: number;
    /** The time for which a draft waits to be submitted. */
    draftTtlMs: number;
    timerShards: number;
    watchShards: number;
    /** The site on which links are paid: `<payerAppUrl>/pay/plink_<publicLinkId>`. */
    payerAppUrl: string;
    /** Most unpaid payments by one link that were begun from one address. */
    unpaidMax: number;
  }>;

/** The place of an intent's watches. */
export const placeOf = ({ rails, settings }: Run, intent: PaymentIntent): WatchPlace => ({
  shards: settings.watchShards,
  rail: railKeyOf(railNamedBy(intent, rails)),
});

/** The hosted page on which a link is paid (SPEC, "Link flow"). */
export const payerPageUrl = ({ settings }: Pick<Run, "settings">, token: string): string =>
  `${settings.payerAppUrl}/pay/plink_${token}`;

/** The body of a successful submit; `replayed` when an earlier call had already been answered with it. */
export type Submitted = Readonly<{
  body: string;
  replayed: boolean;
  /** The commit has kept the answer with its Idempotency-Key already. */
  isKept?: boolean;
  /** The intent as the commit has stored it. */
  intent?: PaymentIntent;
}>;
