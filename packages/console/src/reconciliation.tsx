import { type Frame, linkTo } from "./frame.ts";
import { Command, Grid, Said, When } from "./parts.tsx";

type Closed = Readonly<{ at: string; by: string; reason: string }>;

export type ReconciliationView = Readonly<{
  /** Closed ones are shown, too. */
  isAll: boolean;
  records: readonly Readonly<{
    id: string;
    intentId: string;
    executionId: string;
    kind: string;
    said: string;
    stands: string;
    openedAt: string;
    closed?: Closed;
    /** The rail's earlier words, and their settlements. */
    earlier: readonly Readonly<{ said: string; at: string; closed?: Closed }>[];
    /** The command that closes it. */
    command: string;
  }>[];
  looked: number;
  hasMore: boolean;
}>;

export const Reconciliation = ({ frame, view }: Readonly<{ frame: Frame; view: ReconciliationView }>) => (
  <>
    <p class="hint">
      What a rail said too late, or against what stands. An operator settles it by hand, then closes it.
    </p>
    <form class="filters" action="reconciliation">
      <input type="hidden" name="tenant" value={frame.tenantId} />
      <label>
        <input type="checkbox" name="all" value="yes" checked={view.isAll} /> closed ones, too
      </label>
      <button type="submit" class="quiet">
        Show
      </button>
    </form>
    {view.hasMore && (
      <p class="note">
        These are of the newest {view.looked.toLocaleString("en")} records. Older ones:{" "}
        <code>operator reconciliation list</code>
      </p>
    )}
    <div class="card">
      <Grid
        caption="Reconciliation records"
        columns={["opened", "payment", "what", "the rail said", "it stands", "closed"]}
        rows={view.records.map((record) => ({
          key: record.id,
          cells: [
            <When key="at" at={record.openedAt} />,
            <a key="intent" href={linkTo("intent", { tenant: frame.tenantId, id: record.intentId })}>
              {record.intentId}
            </a>,
            record.kind,
            <div key="said">
              <Said>{record.said}</Said>
              {record.earlier.map(({ said, at, closed }) => (
                <p key={at} class="hint">
                  before: <Said>{said}</Said>
                  {closed !== undefined && <Settled {...closed} />}
                </p>
              ))}
            </div>,
            <Said key="stands">{record.stands}</Said>,
            record.closed === undefined ? (
              <Command key="close" text={record.command} />
            ) : (
              <Settled {...record.closed} />
            ),
          ],
        }))}
        empty={view.isAll ? "No rail has ever said such a thing." : "Nothing is open."}
      />
    </div>
  </>
);

const Settled = ({ at, by, reason }: Closed) => (
  <>
    {" "}
    <When at={at} /> by <Said>{by}</Said>: <Said>{reason}</Said>
  </>
);
