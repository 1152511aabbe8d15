import type { Exchange } from "./calling.ts";

/** Requests with their answers, in the order in which they were sent; questions that repeat one are one line. */
export const Exchanges = ({ exchanges }: Readonly<{ exchanges: readonly Exchange[] }>) => (
  <ol class="exchanges" aria-label="Requests and answers">
    {grouped(exchanges).map(({ last, times }, index) => (
      <li key={index}>
        <details>
          <summary>
            <span>
              <b>{last.title}</b>
              {times > 1 && <span class="hint"> ({times} times)</span>}
              <br />
              <code>
                {last.method} {last.path}
              </code>
            </span>
            <span class={last.status >= 200 && last.status < 300 ? "outcome" : "outcome refused"}>
              {last.status === 0 ? "no answer" : last.status}, {Math.round(last.durationMs)} ms
            </span>
          </summary>
          <div>
            {last.sent !== undefined && <Shown title="Sent" value={last.sent} />}
            <Shown title="Answered" value={last.answer} />
          </div>
        </details>
      </li>
    ))}
  </ol>
);

const Shown = ({ title, value }: Readonly<{ title: string; value: unknown }>) => (
  <div>
    <h3>{title}</h3>
    <pre>{value === undefined ? "nothing" : JSON.stringify(value, null, 2)}</pre>
  </div>
);

function grouped(exchanges: readonly Exchange[]) {
  const groups: { last: Exchange; times: number }[] = [];
  for (const exchange of exchanges) {
    const group = groups.at(-1);
    const repeats = group?.last.path === exchange.path && group.last.method === exchange.method;
    if (group !== undefined && repeats) Object.assign(group, { last: exchange, times: group.times + 1 });
    else groups.push({ last: exchange, times: 1 });
  }
  return groups;
}
