import * as z from "zod";
import { defineRoutes, lazily } from "./route.ts";

/** Links carry whatever else mail programs add to them. */
const PageParameters = lazily(() =>
  z.object({
    lang: z.string().describe("The language of the page").exactOptional(),
    payment: z.string().describe("A payment by the link, to show how it stands").exactOptional(),
  }),
);

/** The routes that a payer's browser opens: the page of a link, and the files that this page and that at `/` load. */
export const payerPageRoutes = defineRoutes({
  showPayerPage: {
    on: "GET /pay/{token}",
    group: "payer-page",
    summary: "The page on which a link is paid, at `/pay/plink_{publicLinkId}`; `payment` names a payment to show",
    description: "For browsers: in the language that they ask for or that `lang` names.",
    auth: "public",
    limit: "public_link",
    parameters: PageParameters,
    answers: { status: 200, page: "text/html" },
    errors: ["link_not_found"],
  },
  getAsset: {
    on: "GET /assets/{file}",
    group: "payer-page",
    summary: "A script or style of a page; its name changes with its content",
    description: "May be kept for good.",
    auth: "public",
    answers: { status: 200, asset: ["text/javascript", "text/css"] },
    errors: ["not_found"],
  },
});
