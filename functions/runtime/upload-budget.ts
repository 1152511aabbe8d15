import { openUploadBudget } from "@intents/http/limits/upload-budget.ts";
import { settings, windows } from "./environment.ts";

const MEGABYTE = 1_000_000;

/** The budgets for uploads, which all containers share. */
export const uploadBudget = openUploadBudget(windows, {
  perKey: settings.UPLOAD_MB_PER_KEY * MEGABYTE,
  perLink: settings.UPLOAD_MB_PER_LINK * MEGABYTE,
});
