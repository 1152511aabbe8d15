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

- **calls**: to DynamoDB, S3 and SQS, and questions to the rail.
- **depth**: the calls that wait for one another. The test holds back each answer until all independent calls have been
  made, so the depth does not depend on speed.
- **reads**, **writes**: units of DynamoDB, indexes included, by its rules; the store itself reports the same. In a
  transaction the table's units count twice, those of its indexes once.

Each line is the first request of its key in a second, in a container that has read the maintenance switch and the
tenant's suspension. One write of it is its rate limit. The authorizer's read comes once a minute for each key.

${Object.entries(operations)
  .map(([group, some]) => `## ${group}\n\n${costs(some)}`)
  .join("\n\n")}

## What breaks first

A partition bears 1,000 write and 3,000 read units a second, whatever the table bears. The table has every key that
payments share, with the units of one payment from its draft, or a payer's session, to its end. A counter spreads its
writes over two partitions, timers lie in 64 shards, and every other record has its own key.

${hotKeyTable("a payment")}

The keys that payments by one link share:

${hotKeyTable("a payment by a link")}

The units of a payer's session alone, since most sessions may never pay:

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

The goals were: 42 written units for a submit, 50 for a payer's session, 350 for a request for 100 commissions, and a
batch's progress by its changes. These costs exceed them, or lie elsewhere in return.

- *The event of a change of status* adds an item to the transaction (2 units). A submit writes 44 units, a payer's
  session, which has two events, 53.
- *Lists of small records* (students, payees, commissions) read half a unit a record. A copy in the index would cost a
  write with each change, in the tenant's one partition.
- *A request for more than ${LISTED_PAYMENTS_MAX} commissions* reads them one by one, because it keeps their ids alone. Copies would cost 50
  units more, and store people's names once more.
- *The answer of a submit* is stored verbatim beside its intent (6 units). A repetition gets these bytes, whatever
  happened to the payment or the service's version since.
- *A due timer* is leased on its record (4 units, not 3): for abandoned drafts and dead workers. In return a change of
  an intent writes no timer of its own (2 units).
- *A request for commissions* is in an index until it has ended, so that the daily check finds an abandoned one: 2 units
  each at its beginning, end and decision. The check reads half a unit a tenant.
- *A rail that fails* adds two writes and a question for each failed question, at most two writes for each question of
  its search, and two or three for a probe. While payments are polled alone, every question of their rail reads them
  (half a unit for 4 KB), and each question about one of them is three writes.
- *A webhook* that succeeds at once writes 3 units: the endpoint's lease, the delivery and the cursor (a test counts
  them). Events that are sent together share lease and cursor. It reads 9 units, and adds a message to its event's
  transaction. A tenant without endpoints costs a container one read a minute.

## A month

List prices of us-east-1 in November 2026. One payment is ${aPayment(1).requests} requests: ${times(requestsOfAPayment)}.
Then the service works on it over two days of settlement: ${times(workOnAPayment)}.
Payments share questions: a payment takes ${questionsOf(10_000).toFixed(1)} at 10,000 a day, and ${questionsOf(100).toFixed(0)} at 100 a day. A poll writes nothing, and reads
${readsOfAPoll(10_000).toFixed(2)} units with its share of the sweeps, or ${readsOfAPoll(100).toFixed(2)}.

${bill()}
`;
