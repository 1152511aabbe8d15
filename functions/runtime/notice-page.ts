import type { NoticePage } from "@intents/http/notices.ts";
import { pickSpeech } from "@intents/payer-app/messages/languages.ts";
import { renderNoticePage } from "@intents/payer-app/server/notice-page.ts";

/** What a browser is shown in place of a page: the notice in the visitor's language. */
export const noticePage: NoticePage = ({ statusCode, retryAfterSeconds, lang, acceptLanguage }) =>
  renderNoticePage(statusCode, retryAfterSeconds, pickSpeech(lang, acceptLanguage));
