import {
  allPages,
  filterBy,
  newestCompleted,
  passport,
  quoteRequest,
  studentRequest,
  tuitionRequest,
  untilItEnds,
} from "../requests.ts";
import {
  Configuration,
  DocumentsApi,
  type ListPaymentIntentsRequest,
  PartiesApi,
  PaymentIntentsApi,
  RatesApi,
} from "./generated/index.js";

/** Pays tuition by bank transfer, and lists what is completed. */
export async function doJob(basePath: string, apiKey: string) {
  const configuration = new Configuration({ basePath, apiKey });
  const intents = new PaymentIntentsApi(configuration);

  const { data: quote } = await new RatesApi(configuration).createQuote({ quoteQuestion: quoteRequest });
  const { data: student } = await new PartiesApi(configuration).createStudent({ studentInput: studentRequest });
  const { data: document } = await new DocumentsApi(configuration).uploadDocument({ file: passport() });
  const paymentIntentInput = tuitionRequest(quote, student.recordId, document.documentId);
  const { id } = (await intents.createPaymentIntent({ paymentIntentInput })).data;
  const { data: evaluation } = await intents.dryRunPaymentIntent({ id });
  await intents.submitPaymentIntent({ id, idempotencyKey: `key-${id}` });
  const intent = await untilItEnds(async () => (await intents.getPaymentIntent({ id })).data);

  const list = async (request: ListPaymentIntentsRequest) => {
    const { data, nextCursor } = await intents.listPaymentIntents(request);
    return { items: data.paymentIntents.map((one) => one.id), nextCursor };
  };
  const { "filter[status]": filterStatus, ...newest } = newestCompleted;
  return {
    status: intent.status,
    missing: evaluation.rule.missingRequirements,
    account: intent.connectorPayment?.transactionBankDetails.accountNumber,
    paymentIds: intent.executions.flatMap(({ connectorPaymentIds }) => connectorPaymentIds),
    id: intent.id,
    completed: await allPages((cursor) => list({ filterStatus, ...newest, ...cursor })),
    found: (await list({ filter: filterBy(student.recordId) })).items,
  };
}
