import type { NoticePage } from "@intents/http/notices.ts";
import { pickSpeech } from "@intents/payer-app/messages/languages.ts";
import { renderNoticePage } from "@intents/payer-app/server/notice-page.ts";

/** The notice that a browser shows in place of a page, in the visitor's language. */
export const noticePage: NoticePage = ({ statusCode, retryAfterSeconds, lang, acceptLanguage }) =>
  renderNoticePage(statusCode, retryAfterSeconds, pickSpeech(lang, acceptLanguage));
