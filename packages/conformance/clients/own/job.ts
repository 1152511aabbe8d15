import { openClient } from "@intents/client";
import { newestCompleted, passport, quoteRequest, studentRequest, tuitionRequest } from "../requests.ts";

/** Pays tuition by bank transfer, and lists what is completed. */
export async function doJob(baseUrl: string, apiKey: string) {
  const { quotes, students, documents, paymentIntents } = openClient({ baseUrl, apiKey });

  const quote = await quotes.create(quoteRequest);
  const student = await students.create(studentRequest);
  const document = await documents.upload({ file: passport() });
  const draft = await paymentIntents.create(tuitionRequest(quote, student._id, document.documentId));
  const evaluation = await paymentIntents.dryRun(draft.id);
  await paymentIntents.submit(draft.id, { idempotencyKey: draft.id });
  const intent = await paymentIntents.waitUntilFinal(draft.id, { intervalMs: 100 });

  const { "filter[status]": status, ...newest } = newestCompleted;
  const completed: string[] = [];
  for await (const { id } of paymentIntents.list({ filter: { status }, ...newest })) completed.push(id);
  const found: string[] = [];
  const filter = { status, "payer.partyId": student._id };
  for await (const { id } of paymentIntents.list({ filter })) found.push(id);
  return {
    status: intent.status,
    missing: evaluation.rule.missingRequirements,
    account: intent.connectorPayment?.transactionBankDetails.accountNumber,
    paymentIds: intent.executions.flatMap(({ connectorPaymentIds }) => connectorPaymentIds),
    id: intent.id,
    completed,
    found,
  };
}
