import {
  allPages,
  filterBy,
  newestCompleted,
  passport,
  quoteRequest,
  studentRequest,
  tuitionRequest,
  untilItEnds,
} from "../requests.js";
import { createClient, createConfig } from "./generated/client/index.js";
import {
  createPaymentIntent,
  createQuote,
  createStudent,
  dryRunPaymentIntent,
  getPaymentIntent,
  type ListPaymentIntentsData,
  listPaymentIntents,
  submitPaymentIntent,
  uploadDocument,
} from "./generated/index.js";

/** Pays tuition by bank transfer, and lists what is completed. */
export async function doJob(baseUrl: string, apiKey: string) {
  const client = createClient(createConfig({ baseUrl, auth: apiKey }));
  const common = { client, throwOnError: true } as const;

  const { data: quote } = (await createQuote({ ...common, body: quoteRequest })).data;
  const { data: student } = (await createStudent({ ...common, body: studentRequest })).data;
  const { data: document } = (await uploadDocument({ ...common, body: { file: passport() } })).data;
  const body = tuitionRequest(quote, student._id, document.documentId);
  const { data: draft } = (await createPaymentIntent({ ...common, body })).data;
  const path = { id: draft.id };
  const { data: evaluation } = (await dryRunPaymentIntent({ ...common, path })).data;
  await submitPaymentIntent({ ...common, path, headers: { "Idempotency-Key": `key-${draft.id}` } });
  const intent = await untilItEnds(async () => (await getPaymentIntent({ ...common, path })).data.data);

  const list = async (query: NonNullable<ListPaymentIntentsData["query"]>) => {
    const { data, nextCursor } = (await listPaymentIntents({ ...common, query })).data;
    return { items: data.paymentIntents.map(({ id }) => id), nextCursor };
  };
  return {
    status: intent.status,
    missing: evaluation.rule.missingRequirements,
    account: intent.connectorPayment?.transactionBankDetails.accountNumber,
    paymentIds: intent.executions.flatMap(({ connectorPaymentIds }) => connectorPaymentIds),
    id: intent.id,
    completed: await allPages((cursor) => list({ ...newestCompleted, ...cursor })),
    found: (await list({ filter: filterBy(student._id) })).items,
  };
}
