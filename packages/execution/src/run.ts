import type { RandomBytes } from "@intents/domain/ids.ts";
import type { TimerSettings } from "@intents/domain/intents/timer.ts";
import type { Rail } from "@intents/domain/rails/rail.ts";
import type { Files } from "@intents/storage/files/files.ts";
import type { Table } from "@intents/storage/table/table.ts";

/** What every step of an execution works with. */
export type Run = Readonly<{
  table: Table;
  /** The bytes of documents. */
  files: Files;
  /** The rails there are; those that serve only some corridors come before the one that serves all. */
  rails: readonly Rail[];
  random: RandomBytes;
  /** Milliseconds since 1970. A step asks anew, because the rail may have taken its time. */
  now: () => number;
  settings: ExecutionSettings;
}>;

export type ExecutionSettings = TimerSettings &
  Readonly<{
    /** How long a claim keeps other workers away. */
    leaseMs: number;
    /** How long past its expected settlement an execution may stay silent. */
    recoveryAfterMs: number;
    timerShards: number;
    /** Where links are paid: `<payerAppUrl>/pay/plink_<publicLinkId>`. */
    payerAppUrl: string;
  }>;

/** The hosted page on which a link is paid (SPEC, "Link flow"). */
export const payerPageUrl = ({ settings }: Pick<Run, "settings">, token: string): string =>
  `${settings.payerAppUrl}/pay/plink_${token}`;

/** The body of a successful submit; `replayed` when an earlier call had already earned it. */
export type Submitted = Readonly<{ body: string; replayed: boolean }>;
