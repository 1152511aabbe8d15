// The data that every client sends. It has no type: the types that a tool generates must take it as it is.

type Quote = Readonly<{
  quoteId: string;
  variants: readonly Readonly<{ id: number; meta: Readonly<{ category: string }> }>[];
  payouts: readonly Readonly<{ payeeId: number; payerAmount: number }>[];
}>;

/** 1500 AUD for the University of Sydney, paid from Brazil. */
export const quoteRequest = {
  payouts: [{ payeeId: 5001, amount: 1500 }],
  countryCode: "BR" as const,
  paymentType: "provider" as const,
};

export const studentRequest = { firstName: "Ana", lastName: "Silva", email: "ana@example.com" };

export const passport = () => new File(["%PDF-1.7 a passport"], "passport.pdf", { type: "application/pdf" });

/** Tuition by bank transfer, complete. */
export function tuitionRequest(quote: Quote, partyId: string, payerIdentityDocumentId: string) {
  const variant = quote.variants.find(({ meta }) => meta.category === "bank-transfer");
  if (variant === undefined) throw new Error("The quote has no bank transfer");
  return {
    useCase: "education_provider_tuition" as const,
    deliveryMode: "manual" as const,
    amountMode: "payer_fixed" as const,
    payer: { role: "student" as const, partyId },
    recipients: quote.payouts.map(({ payeeId, payerAmount }) => ({
      role: "education_provider" as const,
      connectorPayeeId: payeeId,
      amount: { payerAmount: payerAmount.toFixed(2) },
    })),
    instructions: {
      manualPayment: {
        quoteId: quote.quoteId,
        selectedQuoteVariantId: variant.id,
        purpose: "undergraduate" as const,
        countryCode: "BR" as const,
        payerIdentityDocumentId,
      },
    },
    termsAccepted: true as const,
  };
}

/** Small pages, so that there is a second one. */
export const newestCompleted = { "filter[status]": "completed" as const, sort: "-createdAt", limit: 2 };

export const filterBy = (partyId: string) => JSON.stringify({ status: "completed", "payer.partyId": partyId });

/** Reads until the payment is over. */
export async function untilItEnds<Intent extends Readonly<{ status: string }>>(read: () => Promise<Intent>) {
  for (;;) {
    const intent = await read();
    if (intent.status !== "executing") return intent;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The items of all pages. */
export async function allPages<Item>(
  read: (
    cursor: Readonly<{ cursor?: string }>,
  ) => Promise<Readonly<{ items: readonly Item[]; nextCursor?: string | undefined }>>,
): Promise<Item[]> {
  const items: Item[] = [];
  let page = await read({});
  items.push(...page.items);
  while (page.nextCursor !== undefined) {
    page = await read({ cursor: page.nextCursor });
    items.push(...page.items);
  }
  return items;
}
