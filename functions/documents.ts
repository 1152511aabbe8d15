import { documentRoutes } from "@intents/contract/documents.ts";
import { endpoint } from "@intents/http/endpoint.ts";
import { openFiles } from "@intents/storage/files.ts";
import { settings } from "./runtime/environment.ts";
import { gate } from "./runtime/gate.ts";
import { storeUpload } from "./runtime/upload.ts";

const files = openFiles(settings.BUCKET_NAME);

export const handler = endpoint(
  "documents",
  documentRoutes,
  {
    uploadDocument: ({ caller: { tenantId }, event, nowMs }) => storeUpload(files, { tenantId }, event, nowMs),
  },
  { gate },
);
