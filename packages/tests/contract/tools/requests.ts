/** A request of an operation. `{name.path}` in it stands for a value of the earlier answer of that name. */
type Row = Readonly<{
  operation: string;
  request: object;
  /** The name of the answer, if not that of the operation. */
  as?: string;
  /** The status that the payment must have before the request. */
  once?: string;
}>;

const newest = { "filter[status]": "completed", sort: "-createdAt", limit: 1 };
const id = "{createPaymentIntent.data.id}";

/** The requests that every generated client makes: tuition by bank transfer to the University of Sydney, from Brazil. */
export const requests: readonly Row[] = [
  {
    operation: "createQuote",
    request: { body: { payouts: [{ payeeId: 5001, amount: 1500 }], countryCode: "BR", paymentType: "provider" } },
  },
  { operation: "createStudent", request: { body: { firstName: "Ana", lastName: "Silva", email: "ana@example.com" } } },
  { operation: "uploadDocument", request: { file: "passport.pdf" } },
  {
    operation: "createPaymentIntent",
    request: {
      body: {
        useCase: "education_provider_tuition",
        deliveryMode: "manual",
        amountMode: "payer_fixed",
        payer: { role: "student", partyId: "{createStudent.data._id}" },
        recipients: [
          {
            role: "education_provider",
            connectorPayeeId: 5001,
            amount: { payerAmount: "{createQuote.data.payouts.0.payerAmount}" },
          },
        ],
        instructions: {
          manualPayment: {
            quoteId: "{createQuote.data.quoteId}",
            selectedQuoteVariantId: "{createQuote.data.variants.0.id}",
            purpose: "undergraduate",
            countryCode: "BR",
            payerIdentityDocumentId: "{uploadDocument.data.documentId}",
          },
        },
        termsAccepted: true,
      },
    },
  },
  { operation: "dryRunPaymentIntent", request: { id } },
  { operation: "submitPaymentIntent", request: { id, idempotencyKey: `key-${id}` } },
  { operation: "getPaymentIntent", once: "completed", request: { id } },
  { operation: "listPaymentIntents", as: "newest", request: { query: newest } },
  { operation: "listPaymentIntents", as: "next", request: { query: { ...newest, cursor: "{newest.nextCursor}" } } },
  {
    operation: "listPaymentIntents",
    as: "found",
    request: { query: { filter: '{"status":"completed","payer.partyId":"{createStudent.data._id}"}' } },
  },
];

/** A request as JSON, with the values of earlier answers. */
export const fill = ({ operation, request }: Row, answers: Readonly<Record<string, unknown>>) =>
  JSON.stringify({ operation, ...request }).replaceAll(/\{([\w.]+)\}/g, (_, path: string) =>
    String(path.split(".").reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], answers)),
  );
