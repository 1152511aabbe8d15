import { LISTED_PAYMENTS_MAX } from "@intents/domain/commissions/request.ts";
import { aPayment, billLines, costOf, questionsOf, readsOfAPoll, requestsOfAPayment, workOnAPayment } from "./bill.ts";
import { budgets, type OperationName } from "./budgets.ts";
import { hotKeys, type KeyLine, PARTITION, paymentsPerSecond } from "./hot-keys.ts";
import { operations } from "./operations.ts";

/** The events of a payment: six statuses of its own, from draft to completed, and two of its recipient. */
const EVENTS = 8;
/** By the pace of `functions/deliver-webhooks.ts`, of which four instances work. */
const SENT_PER_SECOND = 12;

const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [row(...head), `|---|${"---:|".repeat(head.length - 1)}`, ...rows.map((cells) => row(...cells))].join("\n");

const volumes = [1, 100, 10_000] as const;
const dollars = (amount: number): string => (amount < 9.95 && amount > 0 ? amount.toFixed(1) : amount.toFixed(0));

/** The bill of a month, for docs/costs.md and docs/deploy.md alike. */
export const bill = (): string =>
  table(
    ["USD a month", ...volumes.map((count) => `${count.toLocaleString("en")} payment${count > 1 ? "s" : ""}/day`)],
    [
      ...billLines.map((line) => [line.name, ...volumes.map((count) => dollars(costOf(line, count)))]),
      [
        "**in all**",
        ...volumes.map((count) => `**${dollars(billLines.reduce((sum, line) => sum + costOf(line, count), 0))}**`),
      ],
    ],
  );

const costs = (some: object): string =>
  table(
    ["", "calls", "depth", "reads", "writes"],
    (Object.keys(some) as OperationName[]).map((name) => {
      const { calls, depth, reads, writes } = budgets[name];
      return [name, calls, depth, reads, writes.toLocaleString("en")];
    }),
  );

const times = (counts: object): string =>
  Object.entries(counts)
    .map(([name, count]) => (count === 1 ? name : `${name} (${count} times)`))
    .join(", ");

const hotKeyTable = (of: KeyLine["of"]): string =>
  table(
    ["", "whose", "reads", "writes", `breaks at, ${of === "a session on a link" ? "sessions" : "payments"}/s`],
    hotKeys
      .filter((line) => line.of === of)
      .toSorted((left, right) => paymentsPerSecond(left) - paymentsPerSecond(right))
      .map((line) => [line.name, line.whose, line.reads, line.writes, paymentsPerSecond(line).toLocaleString("en")]),
  );

/** docs/costs.md. */
export const document = (): string => `# What everything costs

Made by \`pnpm costs\` of the tables in \`packages/acceptance/costs\`, whose tests run every operation twice and fail
when one costs more than its line, or less.

- **calls**: of DynamoDB, S3 and SQS, and questions to the rail, each of which counts as one.
- **depth**: so many of them waited for one another. The test holds back every answer until all calls that can be made
  without it have been made, so that the depth does not depend on how fast anything is.
- **reads**, **writes**: units of DynamoDB, indexes included, by its rules, and equal to what the store itself reports.
  Of a transaction the table's units count twice, those of its indexes once.

A request is one of a key that did not ask in the second before, in a container that knows the maintenance switch and
whether the tenant is suspended; one write in its line is that of its rate limit. The authorizer's read comes once a
minute for each key.

${Object.entries(operations)
  .map(([group, some]) => `## ${group}\n\n${costs(some)}`)
  .join("\n\n")}

## What breaks first

A partition bears 1,000 write and 3,000 read units a second, whatever the table bears. These are all the keys that
payments share, each with what one payment costs it from its draft, or from a payer's session, to its end. A counter's
writes are spread over two partitions, timers over 64 shards, and everything else has a key of its own.

${hotKeyTable("a payment")}

Those of payments by one link:

${hotKeyTable("a payment by a link")}

And of those, what the payers' sessions alone cost, of which most may never be paid:

${hotKeyTable("a session on a link")}

**200 payments/s, sent to three webhook endpoints.** A payment has ${EVENTS} events, so that three endpoints that want all of them
are owed ${(200 * 3 * EVENTS).toLocaleString("en")} deliveries a second. Two bounds, on paper, the lower first:

- *A host* is sent at most ${4 * SENT_PER_SECOND} requests a second, by four instances; an endpoint, of which one instance takes
  care at a time, gets ${SENT_PER_SECOND} of them. One that wants all falls behind from ${SENT_PER_SECOND / EVENTS} payments/s on, one that wants a single
  type, such as \`paymentIntent.completed\`, from ${SENT_PER_SECOND}. A batch of 300 recipients has some 900 events: the last comes after
  ${900 / SENT_PER_SECOND} s.
- *An endpoint's records* are one partition, and a delivery writes one of them: ${PARTITION.writes / EVENTS} payments/s, if hosts were sent more.

So at 200 payments/s an endpoint is late, and more so every second. What the feed has forgotten by then, after 30 days, is
not sent. Such a tenant reads the feed, and has single types sent to several hosts.

## Dearer than was aimed at

A submit was to write 42 units, a payer's session 50, a request for 100 commissions 350, the progress of a batch what has
changed. This is what is above that, what it costs elsewhere, and what is left on purpose.

- *The event of a change of status* is one more item of the transaction (2 units): by it a submit writes 44, and a payer's
  session, which has two, 53.
- *Lists of small records* read half a unit for each record, and not a part of a copy in the index: students, payees and
  commissions. A copy would be written with each change, in the tenant's one partition of the index.
- *A request for more than ${LISTED_PAYMENTS_MAX} commissions* reads them one by one, because it keeps their ids alone. Copies would cost 50
  units more to write, and people's names would be in one more place.
- *The answer of a submit* is kept as it was given (6 units), beside the intent that it tells of: a repetition gets these
  very bytes, whatever has become of the payment or of the service's version since. An engineer can read it.
- *A due timer* is leased on the record that waits (4 units, not 3), which is done for drafts that nobody submits and
  for workers that died. In turn no change of an intent writes a timer of its own (2 units each time).
- *A request for commissions* is in an index while somebody has to work on it, so that the daily check finds one that
  nobody looks after: 2 units as it begins and ends, and as it is decided. The check reads half a unit for each tenant.
- *A rail that fails* costs nothing while it fails nobody. A question that fails is two writes and a question more, each
  question of its search two at most, and a probe of a rail that is left alone two or three. While payments are asked
  about alone, every question of their rail reads them (half a unit for each 4 KB), and one about a payment alone is three
  writes.
- *A webhook* that succeeds at once writes 3 units: the endpoint's lease, the delivery's record, the cursor (a test counts
  them). Events that are sent together share lease and cursor. It reads 9 units, and is one message more for the
  transaction with its event. A tenant without endpoints costs a container one read a minute.

## A month

List prices of us-east-1 in November 2026. One payment is ${aPayment(1).requests} requests: ${times(requestsOfAPayment)}.
Then the service itself works on it over two days of settlement: ${times(workOnAPayment)}.
Payments share questions: at 10,000 a day, one of them costs ${questionsOf(10_000).toFixed(1)}, at 100 a day ${questionsOf(100).toFixed(0)}. Asking writes nothing; with what the
sweeps read it takes ${readsOfAPoll(10_000).toFixed(2)} read units a poll, or ${readsOfAPoll(100).toFixed(2)}.

${bill()}
`;
