import { readFile } from "node:fs/promises";
import process from "node:process";
import { createInterface } from "node:readline";
import createClient from "openapi-fetch";
import type { paths } from "./generated/schema.js";

// Makes the request of each line with the client of openapi-fetch and openapi-typescript, and prints the answer.

const [baseUrl = "", apiKey = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { "X-API-Key": apiKey } });

async function upload(file: string) {
  const form = new FormData();
  form.set("file", new File([await readFile(file)], file, { type: "application/pdf" }));
  // The generated type of a file is a string; the serializer puts the real one in its place.
  return client.POST("/v2/documents", { body: { file: "" }, bodySerializer: () => form });
}

for await (const line of createInterface({ input: process.stdin })) {
  const { operation, body, id, file, idempotencyKey, query } = JSON.parse(line);
  const path = { id };
  const header = { "Idempotency-Key": idempotencyKey };
  const calls: Readonly<Record<string, () => Promise<{ data?: unknown; error?: unknown }>>> = {
    createQuote: () => client.POST("/v2/quotes", { body }),
    createStudent: () => client.POST("/v2/students", { body }),
    uploadDocument: () => upload(file),
    createPaymentIntent: () => client.POST("/v2/payment-intents", { body }),
    dryRunPaymentIntent: () => client.POST("/v2/payment-intents/{id}/dry-run", { params: { path } }),
    submitPaymentIntent: () => client.POST("/v2/payment-intents/{id}/submit", { params: { path, header } }),
    getPaymentIntent: () => client.GET("/v2/payment-intents/{id}", { params: { path } }),
    listPaymentIntents: () => client.GET("/v2/payment-intents", { params: { query } }),
  };
  const answer = await calls[operation]?.();
  if (answer?.data === undefined) throw new Error(JSON.stringify(answer?.error));
  process.stdout.write(`${JSON.stringify(answer.data)}\n`);
}
