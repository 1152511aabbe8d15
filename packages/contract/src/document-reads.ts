import { LIST_LIMIT_MAX } from "@intents/domain/lists/query.ts";
import * as z from "zod";
import { integer } from "./parameters.ts";
import { defineRoutes, lazily } from "./route.ts";
import { id, plainText, timestamp } from "./shapes.ts";

const DocumentRead = lazily(() =>
  z
    .object({
      id: plainText("The read's own id. As `after` it asks for what came before it"),
      at: timestamp("When the content was handed out"),
      documentId: plainText("The `legacyDocumentId` of a saved document, or the `documentId` of one of a payment"),
      by: z.enum(["tenant", "operator"]).describe("Who got it: the tenant by a key, or an operator of the service"),
      clientId: plainText("The client of the tenant's key").exactOptional(),
      requestId: plainText("The `X-Request-Id` of the tenant's request").exactOptional(),
    })
    .meta({ id: "DocumentRead", description: "The content of an identity document that was handed out" }),
);

const ReadParameters = lazily(() =>
  z.strictObject({
    ownerId: id("The `_id` of a student or payer, or the `id` of an intent, of now or of once"),
    after: z
      .string()
      .regex(/^[0-9a-f]{24}$/, "must be the `id` of a read, or a `nextCursor`")
      .describe("Only what came before this read, by its `id` or a `nextCursor`; without it, the newest comes first")
      .exactOptional(),
    limit: integer(1, LIST_LIMIT_MAX).describe("At most so many, 100 by default").exactOptional(),
  }),
);

export const documentReadRoutes = defineRoutes({
  listDocumentReads: {
    on: "GET /v2/document-reads",
    group: "parties",
    summary: "Who got the identity documents of a student, payer or payment",
    description:
      "The newest first. A read is there before its content goes out, stays for good, and outlives the document and its owner. An id that is not the tenant's has none.",
    auth: "key",
    parameters: ReadParameters,
    answers: { status: 200, list: "reads", item: DocumentRead, feed: true },
  },
});
