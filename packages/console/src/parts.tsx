import type { IntentStatus } from "@intents/domain/intents/statuses.ts";
import type { ComponentChildren } from "preact";

// The parts that several views share.

/** A moment in UTC, to the second. */
export const When = ({ at }: Readonly<{ at: string | undefined }>) =>
  at === undefined ? null : <time dateTime={at}>{at.slice(0, 19).replace("T", " ")}</time>;

const tones: Readonly<Record<string, string>> = {
  completed: "good",
  paid: "good",
  settled: "good",
  cleared: "good",
  executing: "busy",
  submitted: "busy",
  failed: "bad",
  rejected: "bad",
  reversed: "bad",
  requires_recovery: "warn",
  partially_completed: "warn",
};

/** Where a record stands, in its own word; the colour only repeats it. */
export const Status = ({ status }: Readonly<{ status: IntentStatus | string }>) => (
  <span class={`status ${tones[status] ?? "still"}`}>{status}</span>
);

/** A text that somebody else has written, in a direction of its own. */
export const Said = ({ children }: Readonly<{ children: ComponentChildren }>) => <bdi class="said">{children}</bdi>;

/** A column of texts is its name alone. */
type Column = string | Readonly<{ name: string; kind: "number" }>;

/** A column of numbers, which stand at its right edge. */
export const numbers = (name: string): Column => ({ name, kind: "number" });

export type Row = Readonly<{ key: string; cells: readonly ComponentChildren[] }>;

type GridProps = Readonly<{ caption: string; columns: readonly Column[]; rows: readonly Row[]; empty?: string }>;

/**
 * A table that scrolls by itself where it is wider than the window; in place of an empty one, a sentence. A caller that
 * always has a row needs no sentence.
 */
export function Grid({ caption, columns, rows, empty }: GridProps) {
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  const heads = columns.map((column) => (typeof column === "string" ? { name: column, kind: undefined } : column));
  return (
    // A region that scrolls has to be reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section class="grid" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {heads.map(({ name, kind }) => (
              <th key={name} scope="col" class={kind}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, index) => (
                <td key={heads[index]?.name} class={heads[index]?.kind}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** An act of the command line, which the console itself never does. */
export type Act = Readonly<{ says: string; command: string }>;

export const Acts = ({ title, acts }: Readonly<{ title: string; acts: readonly Act[] }>) =>
  acts.length === 0 ? null : (
    <section class="card acts">
      <h2>{title}</h2>
      <p class="hint">The console changes nothing. These commands do, under your name.</p>
      <dl>
        {acts.map(({ says, command }) => (
          <div key={command}>
            <dt>{says}</dt>
            <dd>
              <Command text={command} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );

/** A command to be copied; without a script a click selects all of it. */
export const Command = ({ text }: Readonly<{ text: string }>) => (
  <span class="command">
    <code>{text}</code>
    <button type="button" class="quiet" data-copy hidden>
      Copy
    </button>
    <output />
  </span>
);

export const Card = ({ title, children }: Readonly<{ title: string; children: ComponentChildren }>) => (
  <section class="card">
    <h2>{title}</h2>
    {children}
  </section>
);

/** Leads to the next page of a list, if there is one. */
export const More = ({ to }: Readonly<{ to: string | undefined }>) =>
  to === undefined ? null : (
    <p class="more">
      <a class="button quiet" href={to} rel="next">
        Older
      </a>
    </p>
  );

/** The choice of how far a page looks back. */
export const Days = ({ days }: Readonly<{ days: number }>) => (
  <label>
    The last{" "}
    <select name="days" data-submits>
      {[1, 7, 30].map((each) => (
        <option key={each} value={each} selected={each === days}>
          {each === 1 ? "24 hours" : `${each} days`}
        </option>
      ))}
    </select>
  </label>
);

type StatusChoiceProps = Readonly<{ label: string; status?: string | undefined; statuses: readonly string[] }>;

/** The end of a form that chooses which records a list shows. */
export const StatusChoice = ({ label, status, statuses }: StatusChoiceProps) => (
  <>
    <label>
      {label}{" "}
      <select name="status" data-submits>
        <option value="">any</option>
        {statuses.map((one) => (
          <option key={one} selected={one === status}>
            {one}
          </option>
        ))}
      </select>
    </label>
    <button type="submit" class="quiet">
      Show
    </button>
  </>
);
