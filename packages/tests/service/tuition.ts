import { type Client, type Intent, quoteBody, tuitionBody, type Variant } from "./client.ts";

type Wanted = Readonly<{
  /** Paying-from country. */
  countryCode?: string;
  payeeIds?: readonly number[];
  /** The amount that every payee receives. */
  amount?: number;
  /** Picks the variant of the quote; the bank transfer by default. */
  pick?: (variant: Variant) => boolean;
  /** The first recipient's reference, by which a tester tells the sandbox what to do. */
  reference?: string;
  payer?: object;
  /** Fields that replace those of the body. */
  changes?: object;
}>;

export type RailPayment = Readonly<{
  executionId: string;
  paymentIntentId: string;
  connectorPaymentId: number;
  totalAmount: string;
  fundingReference?: string;
  legs: readonly Readonly<{ order: number }>[];
}>;

/** A complete tuition body with a quote, a document and (unless `payer` says otherwise) a student of its own. */
export async function tuition(client: Client, wanted: Wanted = {}) {
  const { countryCode = "BR", payeeIds = [5001], amount = 1500, pick = () => true, reference, payer, changes } = wanted;
  const [{ _id: studentId }, quote, documentId] = await Promise.all([
    client.newStudent(),
    client.newQuote({ ...quoteBody, countryCode, payouts: payeeIds.map((payeeId) => ({ payeeId, amount })) }),
    client.uploadPdf(),
  ]);
  const { instructions, ...complete } = tuitionBody(studentId, quote, documentId);
  const variant = quote.variants.find(pick);
  if (variant === undefined) throw new Error("The quote has no such variant");
  const manualPayment = {
    ...instructions.manualPayment,
    selectedQuoteVariantId: variant.id,
    ...(payeeIds.length > 1 && { quotePayoutOrderConfirmed: true }),
  };
  const recipients = complete.recipients.map((recipient, index) =>
    index === 0 && reference !== undefined ? { ...recipient, reference } : recipient,
  );
  const body = {
    ...complete,
    recipients,
    instructions: { manualPayment },
    ...(payer !== undefined && { payer }),
    ...changes,
  };
  return { body, quote, variant, studentId, documentId };
}

export const create = (client: Client, body: object) => client.must<Intent>("POST", "/v2/payment-intents", { body });

/** A draft that submit would take. */
export const newDraft = async (client: Client, wanted: Wanted = {}) =>
  create(client, (await tuition(client, wanted)).body);

export type Evaluation = Readonly<{
  rule: { status: string; missingRequirements: string[] };
  connector: Record<string, unknown>;
  limits: { maxRecipients: number };
  controls: Record<string, string[]>;
  requirements: { path: string; reason: string; satisfiedBy: string; example?: unknown }[];
}>;

export const dryRun = (client: Client, id: string) =>
  client.must<Evaluation>("POST", `/v2/payment-intents/${id}/dry-run`);

/** The paths that dry-run finds missing in a new draft with this body. */
export async function missingIn(client: Client, body: object): Promise<string[]> {
  const { id } = await create(client, body);
  return (await dryRun(client, id)).rule.missingRequirements;
}

/** The rail's payments of an intent. */
export async function railPayments(client: Client, intentId: string): Promise<RailPayment[]> {
  const { payments } = await client.must<{ payments: RailPayment[] }>("GET", "/sandbox/payments?limit=1000");
  return payments.filter(({ paymentIntentId }) => paymentIntentId === intentId);
}

let keys = 0;
export const newKey = (): string => `key-${Date.now().toString(36)}-${++keys}`;
