import { BASIC, type Client, noRateLimit, openClient } from "./client.ts";
import { launchService } from "./service.ts";

export type Item = Readonly<{ _id: string | number }> & Readonly<Record<string, unknown>>;
export type Page = Readonly<{
  data: Readonly<Record<string, Item[]>>;
  hasMore: boolean;
  nextCursor?: string;
  count: number;
  total: number;
}>;

/** The seeded intents, the newest first. */
export const ALL_INTENTS = "link tuition none one two";

/** A service with the same few records for two tenants, as the first tenant sees it, with names for the records. */
export async function launchSeeded() {
  const service = await launchService(noRateLimit);
  const client = openClient(service.url);
  const names = new Map<string | number, string>();
  const ids: Record<string, string | number> = {};
  await seed(openClient(service.url, BASIC), () => undefined);
  await seed(client, (name, id) => {
    names.set(id, name);
    ids[name] = id;
  });

  /** Gets a list. `{name}` in its path stands for the id of the record of that name. */
  async function list(path: string): Promise<Page> {
    const asked = path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
    const { status, body } = await client.call<Page>("GET", `/v2/${asked}`);
    if (status !== 200) throw new Error(`${asked} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }
  const itemsOf = async (path: string): Promise<Item[]> => Object.values((await list(path)).data).flat();
  /** The names of a list's records, in its order; unknown records have their ids instead. */
  const namesOf = async (path: string) =>
    (await itemsOf(path)).map(({ _id }) => names.get(_id) ?? String(_id)).join(" ");

  return { stop: service.stop, client, ids, list, itemsOf, namesOf };
}

const payment = {
  useCase: "supplier_payment",
  deliveryMode: "manual",
  amountMode: "recipient_fixed",
  payer: { role: "tenant" },
};
const link = {
  useCase: "education_provider_tuition",
  deliveryMode: "reusable_payment_link",
  amountMode: "fixed_payee_amounts",
  payer: { role: "unknown_link_payer" },
};

/** Stores the same records for each tenant, one after the other, so that their order is known. */
async function seed(owner: Client, call: (name: string, id: string | number) => void): Promise<void> {
  const student = async (name: string, changes: object) => {
    const { _id } = await owner.newStudent({ firstName: name, ...changes });
    call(name, _id);
    return _id;
  };
  const partyId = await student("Ana", { city: "Recife", dob: "2001-02-03", email: "ana@example.com" });
  await student("Bea", { city: "Natal", dob: "2002-02-03", taxIdentificationNumber: "10" });
  await student("Caio", { city: "Recife", dob: "2003-02-03", taxIdentificationNumber: "9" });
  await student("Duda", {});
  const supplier = (await owner.newPayee({ name: "Supplier", currencyCode: "GBP", countryCode: "GB" })).id;
  call("Supplier", supplier);
  call("Zebra", (await owner.newPayee({ name: "Zebra" })).id);
  const intent = async (name: string, body: object) => {
    const { id } = await owner.must<{ id: string }>("POST", "/v2/payment-intents", {
      body: { ...body, termsAccepted: true },
    });
    call(name, id);
  };
  await intent("two", {
    ...payment,
    recipients: [
      {
        role: "public_payee",
        order: 1,
        connectorPayeeId: supplier,
        reference: "R-1",
        amount: { payeeAmount: "10.00" },
      },
      { role: "public_payee", order: 7, connectorPayeeId: 5001, splitRole: "other" },
    ],
  });
  await intent("one", { ...payment, recipients: [{ order: 3, connectorPayeeId: 5001, amount: { currency: "AUD" } }] });
  await intent("none", { ...payment, useCase: "payroll_payment", deliveryMode: "bulk", amountMode: "mixed_composite" });
  await intent("tuition", {
    ...payment,
    useCase: "education_provider_tuition",
    amountMode: "payer_fixed",
    payer: { role: "student", partyId },
    subject: { role: "student", details: { firstName: "Eva", dob: "2010-05-06" } },
    instructions: { manualPayment: { selectedQuoteVariantId: 4, quotePayoutOrderConfirmed: false } },
  });
  await intent("link", {
    ...link,
    recipients: [{ connectorPayeeId: 5001, amount: { payeeAmount: "5.00", currency: "AUD" } }],
    instructions: { paymentLink: { isSingleUse: true, payFromCountryCode: "BR", lockedFields: ["pay_from_country"] } },
  });
}
