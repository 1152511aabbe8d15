import type { Frame } from "./frame.ts";
import { linkTo } from "./frame.ts";
import { type Act, Acts, Card, Grid, numbers, Said, Status, When } from "./parts.tsx";

type Depth = Readonly<{ visible: number; inFlight: number; delayed: number }>;

/** The work of polling. */
export type QueueView = Readonly<{
  messages: Depth;
  deadLetters: number;
  lanes: readonly (Depth & Readonly<{ lane: number }>)[];
  timersDue: number;
  timersOverdue: number;
  /** The oldest timers that are overdue, and whether there are more. */
  overdue: readonly Readonly<{ owner: string; tenantId: string; id: string; dueAt: string }>[];
  questions: readonly Readonly<{ rail: string; secondsBehind: number; failures: number; leftAloneUntil?: string }>[];
  /** Timers, payments and questions to rails that nobody looks after. */
  unattended: readonly Readonly<{ what: string; about: string; at: string }>[];
  /** Tenants' webhook endpoints, and the oldest event that each lacks. */
  endpoints: readonly Readonly<{
    tenant: string;
    id: string;
    url: string;
    status: string;
    failingSince: string | undefined;
    nextAttemptAt: string | undefined;
    waiting: number;
    undeliveredSince: string | undefined;
  }>[];
  acts: readonly Act[];
}>;

export const Queue = ({ view }: Readonly<{ frame: Frame; view: QueueView }>) => (
  <>
    <ul class="figures">
      <Figure name="messages waiting" value={view.messages.visible} />
      <Figure name="being worked on" value={view.messages.inFlight} />
      <Figure name="failed five times" value={view.deadLetters} isBad={view.deadLetters > 0} />
      <Figure name="timers due" value={view.timersDue} />
      <Figure name="timers overdue" value={view.timersOverdue} isBad={view.timersOverdue > 0} />
    </ul>
    {view.unattended.map(({ what, about }) => (
      <p class="alert" key={`${what} ${about}`}>
        Nobody looks after this: {what}, <Said>{about}</Said>
      </p>
    ))}
    <Card title="Questions to rails">
      <Grid
        caption="How far the questions to each rail have come"
        columns={["rail", numbers("seconds behind"), numbers("failures in a row"), "left alone until"]}
        rows={view.questions.map(({ rail, secondsBehind, failures, leftAloneUntil }) => ({
          key: rail,
          cells: [<Said key="rail">{rail}</Said>, secondsBehind, failures, <When key="until" at={leftAloneUntil} />],
        }))}
        empty="No rail is configured."
      />
    </Card>
    <Card title="Lanes">
      <Grid
        caption="Questions in each lane"
        columns={["lane", numbers("waiting"), numbers("being worked on"), numbers("waiting for their time")]}
        rows={view.lanes.map(({ lane, visible, inFlight, delayed }) => ({
          key: `${lane}`,
          cells: [lane, visible, inFlight, delayed],
        }))}
        empty="There are no lanes."
      />
    </Card>
    <Card title="Overdue timers">
      <p class="hint">Due for more than two minutes, the oldest of each shard.</p>
      <Grid
        caption="Overdue timers"
        columns={["due", "tenant", "of"]}
        rows={view.overdue.map(({ owner, tenantId, id, dueAt }) => ({
          key: `${tenantId} ${id}`,
          cells: [
            <When key="due" at={dueAt} />,
            tenantId,
            owner === "INTENT" ? (
              <a href={linkTo("intent", { tenant: tenantId, id })}>{id}</a>
            ) : (
              `commission request ${id}`
            ),
          ],
        }))}
        empty="None: the schedule keeps up."
      />
    </Card>
    <Card title="Webhook endpoints">
      <p class="hint">A receiver that fails is its tenant's to mend.</p>
      <Grid
        caption="Webhook endpoints"
        columns={[
          "tenant",
          "endpoint",
          "status",
          "failing since",
          "next attempt",
          numbers("deliveries waiting"),
          "oldest undelivered",
        ]}
        rows={view.endpoints.map(
          ({ tenant, id, url, status, failingSince, nextAttemptAt, waiting, undeliveredSince }) => ({
            key: id,
            cells: [
              ...[tenant, <Said key="url">{url}</Said>, <Status key="status" status={status} />],
              ...[<When key="since" at={failingSince} />, <When key="next" at={nextAttemptAt} />],
              ...[waiting, <When key="oldest" at={undeliveredSince} />],
            ],
          }),
        )}
        empty="No tenant has one."
      />
    </Card>
    <Acts title="What can be done" acts={view.acts} />
  </>
);

const Figure = ({ name, value, isBad = false }: Readonly<{ name: string; value: number; isBad?: boolean }>) => (
  <li class={isBad ? "bad" : undefined}>
    <b>{value.toLocaleString("en")}</b> <span>{name}</span>
  </li>
);
