import { documentRoutes } from "@intents/contract/documents.ts";
import { storeUpload } from "@intents/execution/documents/upload.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { openFiles } from "@intents/storage/files/files.ts";
import { random, settings, table } from "./runtime/environment.ts";
import { gate } from "./runtime/gate.ts";
import { uploadBudget } from "./runtime/upload-budget.ts";

const files = openFiles(settings.BUCKET_NAME);

export const handler = endpoint(
  "documents",
  documentRoutes,
  {
    uploadDocument: ({ caller: { tenantId }, form: { file }, nowMs }) =>
      storeUpload({ table, files, random }, tenantId, file, nowMs),
  },
  { gate, uploadBudget },
);
