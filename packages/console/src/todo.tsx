import { type Frame, linkTo } from "./frame.ts";
import { Command, Grid, Said, When } from "./parts.tsx";

export type TodoView = Readonly<{
  /** The oldest tasks, and whether there are more. */
  tasks: readonly Readonly<{ since: string; tenant?: string; what: string; about: string; next: string }>[];
  hasMore: boolean;
  /** A sentence for each unread part. */
  unseen: readonly string[];
  isEverywhere: boolean;
}>;

export const Todo = ({ frame, view }: Readonly<{ frame: Frame; view: TodoView }>) => (
  <>
    <form class="filters" action="todo">
      <input type="hidden" name="tenant" value={frame.tenantId} />
      <label>
        <input type="checkbox" name="everywhere" value="yes" checked={view.isEverywhere} /> of all tenants, and of the
        service
      </label>
      <button type="submit" class="quiet">
        Show
      </button>
    </form>
    {view.hasMore && <p class="note">The oldest {view.tasks.length}; there are more.</p>}
    {view.unseen.map((each) => (
      <p class="note" key={each}>
        Not looked at: {each}.
      </p>
    ))}
    <div class="card">
      <Grid
        caption="What needs a person, oldest first"
        columns={["since", "what", "about", "next, by operator"]}
        rows={view.tasks.map((task, index) => ({
          key: `${index}`,
          cells: [
            <>
              <When at={task.since} />
              {task.tenant !== undefined && <span class="sub">tenant {task.tenant}</span>}
            </>,
            <Said key="what">{task.what}</Said>,
            <About key="about" {...task} />,
            <Command key="next" text={task.next} />,
          ],
        }))}
        empty="Nothing needs a person."
      />
    </div>
  </>
);

/** Payments and requests have ids of the same form; where a payment is meant, its commands say so. */
const About = ({ tenant, about, next }: TodoView["tasks"][number]) =>
  / operator (intents|reconciliation) /.test(next) && /^[\da-f]{24}$/.test(about) ? (
    <a href={linkTo("intent", { tenant, id: about })}>{about}</a>
  ) : (
    <Said>{about}</Said>
  );
