import type { Route } from "@intents/contract/route.ts";
import { routes } from "@intents/contract/routes.ts";
import type { namedBy } from "@intents/storage/table/keys.ts";
import { describe, expect, test } from "vitest";
import { bodyOf, formOf, newBelongings } from "./belongings.ts";
import { type Client, type Options, type Reply, savedDocumentBody } from "./client.ts";
import { payerOf, publishLink } from "./links.ts";
import { openService } from "./service-fixture.ts";
import { create, dryRun, tuition } from "./tuition.ts";

/** Tenant A owns everything that can be named; A itself, tenant B and a payer with another link of A's name it. */
const { client: a, basic: b } = await openService();
const owned = await newBelongings(a);
const { payer: payerOfA } = owned.link;
const [payment, payerUpload, payersLink] = await Promise.all([
  payerOfA.sessionBody().then(payerOfA.open),
  payerOfA.upload(),
  publishLink(a),
]);

type Named = typeof namedBy;
type Kind = { [Name in keyof Named]: [Named[Name][number]] extends [never] ? never : Name }[keyof Named];

/** Ids of every kind that somebody may name; a kind without one does not compile. */
const ids = {
  intent: { draft: owned.intent.id, link: owned.link.id, payment: payment.paymentIntentId },
  party: { student: owned.student._id, payer: owned.payer._id },
  savedDocument: {
    studentDocument: owned.studentDocument.legacyDocumentId,
    payerDocument: owned.payerDocument.legacyDocumentId,
  },
  document: { upload: owned.upload },
  payerDocument: { payerUpload, formerPayerUpload: `${owned.link.id}-${payerUpload}` },
  quote: { quote: owned.quote.quoteId },
  linkQuote: { linkQuote: owned.session.quoteId },
  commission: { commission: String(owned.commissions.commission.paymentId) },
  commissionRequest: { request: owned.commissions.submitted },
  webhook: { endpoint: owned.endpoint },
  delivery: { delivery: owned.delivery },
} satisfies Record<Kind, Readonly<Record<string, string>>>;

/** Ids that no tenant owns: the directory's, and the tokens of their holders. */
const shared = { payee: String(owned.payee.id), token: owned.link.token, checkout: owned.checkoutToken };

const named: Readonly<Record<string, string>> = Object.assign({ ...shared }, ...Object.values(ids));
type Name = string;

/** The ids that fit a path's parameters; parameters of reference data and assets name none. */
const places: readonly (readonly [path: string, fits: readonly Name[]])[] = [
  ["/v2/students/{id}/documents/{legacyDocumentId}", ["studentDocument"]],
  ["/v2/payers/{id}/documents/{legacyDocumentId}", ["payerDocument"]],
  ["/v2/students/{id}", ["student"]],
  ["/v2/payers/{id}", ["payer"]],
  ["/v2/payees/{id}", ["payee"]],
  ["/v2/lookup/payment-methods/{payeeId}", ["payee"]],
  ["/v2/quotes/{id}", ["quote"]],
  ["/v2/payment-intents/{id}", ["draft", "link", "payment"]],
  ["/v2/commissions/requests/{id}", ["request"]],
  ["/v2/webhook-endpoints/{id}/deliveries/{deliveryId}", ["delivery"]],
  ["/v2/webhook-endpoints/{id}", ["endpoint"]],
  ["/v2/public/payment-links/{token}", ["token"]],
  ["/pay/{token}", []],
  ["/sandbox/checkout/{token}", ["checkout"]],
  // A commission goes under the id of the payment that earned it.
  ["/sandbox/payments/{connectorPaymentId}", ["commission"]],
  ["/sandbox/quotes/{id}", ["quote"]],
  ["/sandbox/payment-intents/{id}", ["draft", "link", "payment"]],
  ["/sandbox/payment-links/{token}", ["token"]],
];
const unowned = [
  "/v2/lookup/purposes/{type}",
  "/v2/lookup/payer-types/{type}",
  "/assets/{file}",
  "/docs/{page}",
  "/chat/{conversationId}",
];

const pathOf = ({ on }: Route) => on.slice(on.indexOf(" ") + 1);
const naming = Object.values(routes).filter((route) => pathOf(route).includes("{") && !unowned.includes(pathOf(route)));
const params = naming.flatMap((route) =>
  [...pathOf(route).matchAll(/\{(\w+)\}/g)].map(([, param = ""]) => ({ route, on: route.on, param })),
);

const sentTo = (route: Route): Options =>
  route.form === "multipart" ? { form: formOf(route, owned) } : { body: bodyOf(route, owned) };

/** An answer without what differs from call to call, and without the id that was sent. */
function described({ status, headers, bytes }: Reply<unknown>, id: string): object {
  const text = new TextDecoder()
    .decode(bytes)
    .replaceAll(id, "<id>")
    .replace(/"timestamp":"[^"]+"/, "");
  // The page of a link that does not exist knows the rest of its address.
  if (headers.get("content-type")?.startsWith("text/html"))
    return { status, text: text.replaceAll(id.slice(6), "<id>") };
  return { status, text, headers: [...headers.keys()] };
}

/** Expects that `ask` answers all of `names` as it answers an id that nothing has. */
async function expectUnknown(names: readonly Name[], ask: (id: string) => Promise<object>): Promise<void> {
  const check = async (name: Name) => {
    const id = named[name] ?? "";
    // The unknown id has the same form: 24 digits, a UUID, a number.
    const nobodys = id.replace(/[1-9a-zA-Z]/g, (character) => (/\d/.test(character) ? "7" : "a"));
    const [known, unknown] = await Promise.all([ask(id), ask(nobodys)]);
    expect(known, `naming the ${name}`).toEqual(unknown);
  };
  await Promise.all(names.map(check));
}

const allBut = (fits: readonly Name[]): Name[] => Object.keys(named).filter((name) => !fits.includes(name));

const [studentOfB, payerOfB, { id: endpointOfB }] = await Promise.all([
  b.newStudent(),
  b.newPayer(),
  b.must<{ id: string }>("POST", "/v2/webhook-endpoints", { body: { url: "http://127.0.0.1:9/" } }),
]);
const ownersOf = new Map([
  [a, { students: owned.student._id, payers: owned.payer._id, "webhook-endpoints": owned.endpoint }],
  [b, { students: studentOfB._id, payers: payerOfB._id, "webhook-endpoints": endpointOfB }],
]);

describe("an id in a path", () => {
  test.each(params)("{$param} of $on stands for what it is for, and only if it is the caller's", async (place) => {
    const { route, param } = place;
    const [method = "", path = ""] = route.on.split(" ");
    const upTo = path.slice(0, path.indexOf(`{${param}}`) + param.length + 2);
    const fits = places.find(([known]) => known === upTo)?.[1];
    if (fits === undefined) throw new Error(`Nobody said what ${upTo} is for`);
    const ask = (by: Client, options: Options) => async (id: string) => {
      const kind = path.split("/")[2] as "students" | "payers" | "webhook-endpoints";
      const filled = path.replace(`{${param}}`, id).replace("{id}", ownersOf.get(by)?.[kind] ?? "");
      const asked = filled.replace("{legacyDocumentId}", "77777777-7777-4777-8777-777777777777");
      return described(await by.call(method, asked, { ...sentTo(route), ...options }), id);
    };
    if (route.auth !== "key") return expectUnknown(allBut(fits), ask(a, { key: null }));
    await expectUnknown(allBut(fits), ask(a, {}));
    await expectUnknown(allBut([]), ask(b, {}));
  });
});

const drafted = await tuition(b);
const BODY_ID_MAX = 64;

describe("an id in a body", () => {
  const missing = (by: Client, changes: (id: string) => object) => async (id: string) => {
    const body = { ...drafted.body, ...changes(id) };
    // No body takes an id as long as a delivery's.
    if (id.length > BODY_ID_MAX) return described(await by.call("POST", "/v2/payment-intents", { body }), id);
    const evaluation = await dryRun(by, (await create(by, body)).id);
    return JSON.parse(JSON.stringify(evaluation.requirements).replaceAll(id, "<id>"));
  };
  const { manualPayment } = drafted.body.instructions;
  const manual = (changes: object) => ({ instructions: { manualPayment: { ...manualPayment, ...changes } } });
  const inDrafts: readonly (readonly [string, readonly Name[], (id: string) => object])[] = [
    ["payer.partyId", ["student", "payer"], (partyId) => ({ payer: { role: "student", partyId } })],
    ["quoteId", ["quote"], (quoteId) => manual({ quoteId })],
    ["payerIdentityDocumentId", ["upload"], (payerIdentityDocumentId) => manual({ payerIdentityDocumentId })],
    [
      "purposeProofDocumentId",
      ["upload"],
      (purposeProofDocumentId) => ({
        recipients: drafted.body.recipients.map((recipient) => ({ ...recipient, purposeProofDocumentId })),
      }),
    ],
  ];
  test.each(inDrafts)("%s of an intent stands for what it is for, and only if it is the caller's", async (...place) => {
    const [, fits, changes] = place;
    await expectUnknown(allBut(fits), missing(a, changes));
    await expectUnknown(allBut([]), missing(b, changes));
  });

  test("sourceDocumentId of a saved document is the caller's own upload alone", async () => {
    for (const [by, { students }] of ownersOf) {
      await expectUnknown(allBut(by === a ? ["upload"] : []), async (sourceDocumentId) => {
        const body = { ...savedDocumentBody, sourceDocumentId };
        return described(await by.call("POST", `/v2/students/${students}/documents`, { body }), sourceDocumentId);
      });
    }
  });
});

describe("a payer with another link of the same tenant", () => {
  const payer = payerOf(a, payersLink.token);

  test("cannot have any payment's status by its id", async () => {
    await expectUnknown(allBut([]), async (id) => described(await payer.askStatus(id), id));
  });

  test("cannot pay by any quote, or with any document, of somebody else's", async () => {
    const { quoteId: _, ...session } = await payer.sessionBody();
    await expectUnknown(allBut([]), async (quoteId) =>
      described(await payer.askSession({ ...session, quoteId }), quoteId),
    );
    const own = await payer.sessionBody();
    await expectUnknown(allBut([]), async (id) => described(await payer.askSession({ ...own, documentIds: [id] }), id));
  });
});
