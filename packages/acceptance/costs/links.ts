import { newSecret, publishLink, secretHeader, uploadForm } from "../service/links.ts";
import { priceLinkBody } from "../service/scenarios-fixture.ts";
import { create } from "../service/tuition.ts";
import { ownWork } from "./own-work.ts";
import { request } from "./request.ts";
import type { Operation, Stage } from "./stage.ts";

const publicPath =
  (rest = "") =>
  async ({ client }: Stage) =>
    `/v2/public/payment-links/${(await publishLink(client)).token}${rest}`;

/** A link for one payer, whose payment takes so long that it can be called off. */
const unpaid = { isSingleUse: true, reference: "SANDBOX-OVERDUE" };

/** A payer's request on a link with a payment that is not paid yet. */
const afterSession = (route: string, method: string, rest: string, options: object = {}): Operation => ({
  route,
  prepare: async ({ client }) => {
    const { payer } = await publishLink(client, unpaid);
    const secret = newSecret();
    await payer.open(await payer.sessionBody(), secret);
    return () => payer.call(method, rest, { headers: secretHeader(secret), ...options });
  },
});

/** A payer's session, with documents or without, on a link for one payer or for many. */
const session = (isSingleUse: boolean, documents = 0, isTransfer = true): Operation => ({
  route: "openPayerSession",
  prepare: async ({ client }) => {
    const { payer } = await publishLink(client, { isSingleUse });
    const body = await payer.sessionBody(isTransfer ? {} : { method: "pix" });
    const documentIds = await Promise.all(Array.from({ length: documents }, payer.upload));
    return () => payer.open({ ...body, documentIds }, newSecret());
  },
});

/** Links, as those see them who pay by them, and as their tenant does. */
export const linkOperations = {
  "a link is published": {
    route: "submitPaymentIntent",
    prepare: async ({ client }: Stage) => {
      const { id } = await create(client, priceLinkBody());
      return () => client.submit(id);
    },
  },
  "the page of a link": request(
    "showPayerPage",
    "GET",
    async ({ client }) => `/pay/plink_${(await publishLink(client)).token}`,
    () => ({ key: null }),
  ),
  "a file of the page": request("getAsset", "GET", "/assets/script", () => ({ key: null })),
  "the details of a link": request("getPaymentLink", "GET", publicPath(), () => ({ key: null })),
  "a quote for a payer": request("quotePaymentLink", "POST", publicPath("/quote"), () => ({
    key: null,
    body: { payerCountryCode: "BR" },
  })),
  "a payer's upload": request("uploadPayerDocument", "POST", publicPath("/documents"), () => ({
    key: null,
    form: uploadForm(),
  })),
  "a payer's session": session(false),
  "a payer's session with two documents": session(false, 2),
  "a payer's session by checkout": session(false, 0, false),
  "a payer's session on a single-use link": session(true),
  "a payer comes back": afterSession("findPayerSession", "GET", "/payer-session"),
  "a payer's page stays open": afterSession("keepPayerSession", "POST", "/payer-session/hold", {
    body: { willTransfer: true },
  }),
  "a payer gives a payment up": afterSession("releasePayerSession", "POST", "/payer-session/release"),
  "the status of a link": request("getPaymentLinkStatus", "GET", publicPath("/status"), () => ({ key: null })),
  "the status of a payer's payment": {
    route: "getPaymentLinkStatus",
    prepare: async ({ client }: Stage) => {
      const { payer } = await publishLink(client);
      const { paymentIntentId } = await payer.open(await payer.sessionBody());
      return () => payer.askStatus(paymentIntentId);
    },
  },
  "a held link is opened again": request("releasePaymentLink", "POST", async ({ client }) => {
    const { id, payer } = await publishLink(client, unpaid);
    await payer.open(await payer.sessionBody());
    return `/v2/payment-intents/${id}/release-hold`;
  }),
  "a payment by a single-use link completes": ownWork(async (stage) => {
    const { payer } = await publishLink(stage.client, { isSingleUse: true });
    const { paymentIntentId } = await payer.open(await payer.sessionBody());
    stage.moveClock(120_000);
    return stage.questionFor(paymentIntentId);
  }),
} satisfies Record<string, Operation>;
