/** A group of the reference: its name in words, and the calls that come first on its page. */
type Stop = Readonly<{ title: string; first?: readonly string[] }>;

/** The groups of the reference in the order in which a program comes to need them. Others follow under their tags. */
const journey: Readonly<Record<string, Stop>> = {
  rates: { title: "Quotes and rates", first: ["createQuote", "getQuote"] },
  documents: { title: "Documents" },
  parties: { title: "Students and payers" },
  payees: { title: "Payees and users" },
  "payment-intents": {
    title: "Payment intents",
    first: [
      ...["previewRequirements", "createPaymentIntent", "dryRunPaymentIntent", "compilePaymentIntent"],
      ...["submitPaymentIntent", "getPaymentIntent", "getPaymentIntentTimeline", "listPaymentIntents", "listEvents"],
    ],
  },
  webhooks: { title: "Webhooks" },
  "payment-links": { title: "Payment links, for payers" },
  commissions: { title: "Commissions" },
  lookup: { title: "Lookups" },
  "sandbox-testing": { title: "Sandbox: make it happen" },
  "sandbox-rail": { title: "Sandbox: simulated rails" },
  openapi: { title: "Document and health" },
};

export const titleOfGroup = (tag: string): string => journey[tag]?.title ?? tag;

const stops = Object.keys(journey);
const placeIn = (known: readonly string[], name: string): number =>
  known.includes(name) ? known.indexOf(name) : known.length;

/** Sorts groups by their tags. */
export const byStop = (one: string, other: string): number => placeIn(stops, one) - placeIn(stops, other);

/** Sorts the operations of a group. */
export const byStep =
  (tag: string) =>
  (one: string, other: string): number => {
    const first = journey[tag]?.first ?? [];
    return placeIn(first, one) - placeIn(first, other);
  };

/** Calls whose operations say too little in words. */
const titles: Readonly<Record<string, string>> = {
  getMe: "Who the key belongs to",
  findFxRate: "Find an exchange rate",
  compilePaymentIntent: "Compile the plan of a draft",
  dryRunPaymentIntent: "Dry-run a payment intent",
  getOpenApi: "Get the document",
  getHealth: "Health",
};

/** A call in words: `submitPaymentIntent` is "Submit payment intent". */
export const titleOfCall = (operationId: string): string =>
  titles[operationId] ??
  operationId
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toUpperCase());
