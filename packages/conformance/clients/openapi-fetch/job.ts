import createClient from "openapi-fetch";
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
import type { paths } from "./generated/schema.js";

/** Pays tuition by bank transfer, and lists what is completed. */
export async function doJob(baseUrl: string, apiKey: string) {
  const client = createClient<paths>({ baseUrl, headers: { "X-API-Key": apiKey } });

  const { data: quote } = must(await client.POST("/v2/quotes", { body: quoteRequest }));
  const { data: student } = must(await client.POST("/v2/students", { body: studentRequest }));
  const { data: document } = must(
    await client.POST("/v2/documents", {
      body: { file: "" },
      // The generated type of a file is a string; its serializer puts the real one in its place.
      bodySerializer: () => {
        const form = new FormData();
        form.set("file", passport());
        return form;
      },
    }),
  );
  const body = tuitionRequest(quote, student._id, document.documentId);
  const { data: draft } = must(await client.POST("/v2/payment-intents", { body }));
  const path = { id: draft.id };
  const { data: evaluation } = must(await client.POST("/v2/payment-intents/{id}/dry-run", { params: { path } }));
  const header = { "Idempotency-Key": `key-${draft.id}` };
  must(await client.POST("/v2/payment-intents/{id}/submit", { params: { path, header } }));
  const intent = await untilItEnds(
    async () => must(await client.GET("/v2/payment-intents/{id}", { params: { path } })).data,
  );

  const list = async (query: NonNullable<paths["/v2/payment-intents"]["get"]["parameters"]["query"]>) => {
    const { data, nextCursor } = must(await client.GET("/v2/payment-intents", { params: { query } }));
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

function must<Data>({ data, error }: Readonly<{ data?: Data; error?: unknown }>): NonNullable<Data> {
  if (data === undefined || data === null) throw new Error(JSON.stringify(error));
  return data;
}
