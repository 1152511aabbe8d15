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
import {
  createPaymentIntent,
  createQuote,
  createStudent,
  dryRunPaymentIntent,
  getPaymentIntent,
  type ListPaymentIntentsParams,
  listPaymentIntents,
  submitPaymentIntent,
  uploadDocument,
} from "./generated/api.js";
import { service } from "./service-fetch.js";

/** Pays tuition by bank transfer, and lists what is completed. */
export async function doJob(baseUrl: string, apiKey: string) {
  Object.assign(service, { baseUrl, apiKey });

  const { data: quote } = must(await createQuote(quoteRequest));
  const { data: student } = must(await createStudent(studentRequest));
  const { data: document } = must(await uploadDocument({ file: passport() }));
  const { data: draft } = must(await createPaymentIntent(tuitionRequest(quote, student._id, document.documentId)));
  const { data: evaluation } = must(await dryRunPaymentIntent(draft.id));
  must(await submitPaymentIntent(draft.id, { "Idempotency-Key": `key-${draft.id}` }));
  const intent = await untilItEnds(async () => must(await getPaymentIntent(draft.id)).data);

  const list = async (params: ListPaymentIntentsParams) => {
    const { data, nextCursor } = must(await listPaymentIntents(params));
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

type Answer = Readonly<{ status: number; data: unknown }>;

/** The body of an answer that must be a success: the generated types tell them apart by their status. */
function must<Given extends Answer>(answer: Given): Extract<Given, { status: 200 | 201 }>["data"] {
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.data));
  return answer.data;
}
