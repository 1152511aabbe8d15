/**
 * The cost of each operation: its calls to DynamoDB, S3 and SQS, and DynamoDB's read and write units, indexes included.
 * `costs.test.ts` measures them in this order.
 */
export const budgets = {
  "a tick of the schedule": { calls: 7, reads: 3.5, writes: 0 },
  "a sweep of no payments": { calls: 4, reads: 2, writes: 1 },
  "a shard of no timers": { calls: 1, reads: 0.5, writes: 0 },
  "a page of ten drafts": { calls: 7, reads: 8.5, writes: 1 },
  "a student is added": { calls: 2, reads: 0, writes: 8 },
  "a document is uploaded": { calls: 4, reads: 0, writes: 3 },
  "a quote is made": { calls: 4, reads: 2, writes: 5 },
  "a draft is made": { calls: 5, reads: 1, writes: 16 },
  "a dry run": { calls: 3, reads: 3, writes: 1 },
  "a submit": { calls: 6, reads: 10, writes: 46 },
  "a replay of a submit": { calls: 2, reads: 5, writes: 1 },
  "a payment is read": { calls: 2, reads: 3, writes: 1 },
  "an export of 100 commissions": { calls: 5, reads: 51.5, writes: 1 },
  "a poll without news": { calls: 1, reads: 0.5, writes: 0 },
  "a poll that completes a payment": { calls: 5, reads: 3, writes: 27 },
  "a payer's session": { calls: 6, reads: 8, writes: 55 },
  "a payer reads the payment's status": { calls: 3, reads: 4, writes: 1 },
  "ten recipients of a batch are paid": { calls: 28, reads: 9, writes: 104 },
  "a webhook is delivered": { calls: 15, reads: 11.5, writes: 3 },
} as const satisfies Readonly<Record<string, Readonly<{ calls: number; reads: number; writes: number }>>>;

export type OperationName = keyof typeof budgets;
