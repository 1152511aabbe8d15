/** A place that holds personal data. */
export type Kept = Readonly<{
  place: string;
  holds: string;
  why: string;
  /** For how long, unless it is erased before. */
  until: string;
  /** What erases it, or why nothing does. */
  by: string;
}> &
  // What an order for one person erases, such an order exports as well.
  (Readonly<{ goes: "erase"; exported: string }> | Readonly<{ goes: "by itself" | "never" }>);

const ERASE = "`subjects erase`";

/** Everything personal that the service keeps, place by place (Decision 024). docs/privacy.md shows the same rows. */
export const keptData: readonly Kept[] = [
  {
    place: "saved students and payers",
    holds: "name, e-mail, phone, birthday, address, tax number, the tenant's own id and notes",
    why: "the tenant names them in payments",
    until: "their tenant deletes them",
    goes: "erase",
    exported: "`parties.json`",
    by: `DELETE, or ${ERASE}`,
  },
  {
    place: "traces of deleted students and payers",
    holds: "a digest of the e-mail",
    why: "payments that name nothing but the party's id are found by it",
    until: "for good",
    goes: "erase",
    exported: "–",
    by: ERASE,
  },
  {
    place: "saved documents and their files",
    holds: "identity documents",
    why: "the tenant uses them again",
    until: "`SAVED_DOCUMENT_DAYS`, or their party",
    goes: "erase",
    exported: "`documents/`",
    by: `DELETE, the daily sweep, or ${ERASE}`,
  },
  {
    place: "documents of payments and their files",
    holds: "identity documents, proofs of purpose",
    why: "proof of who paid, and what for",
    until: "the draft, or `PAYMENT_DOCUMENT_DAYS` after the payment's end",
    goes: "erase",
    exported: "`documents/`",
    by: `the daily sweep, or ${ERASE}`,
  },
  {
    place: "intents: drafts, submissions, executions, payers of links",
    holds:
      "details of payer and subject, names of intents, references, the tenant's own ids, a digest of a payer's address",
    why: "proof of what was paid, for whom and by whom",
    until: "for good",
    goes: "erase",
    exported: "`payments.json`",
    by: `${ERASE}, once the payment has ended`,
  },
  {
    place: "entries of recipients' own ids",
    holds: "the tenant's own ids",
    why: "lists find payments by them",
    until: "for good",
    goes: "erase",
    exported: "as in `payments.json`",
    by: `${ERASE}, with the intent`,
  },
  {
    place: "metadata of payments",
    holds: "the tenant's own notes",
    why: "the tenant tells payments apart by them",
    until: "for good",
    goes: "erase",
    exported: "`payments.json`",
    by: `PATCH, or ${ERASE}, with the intent`,
  },
  {
    place: "stored answers of submits",
    holds: "the intent as it was answered",
    why: "a repeated submit gets the same answer",
    until: "for good",
    goes: "erase",
    exported: "as in `payments.json`",
    by: `${ERASE}, with the intent`,
  },
  {
    place: "legs of batches",
    holds: "references",
    why: "each recipient is a payment of its own",
    until: "for good",
    goes: "erase",
    exported: "as in `payments.json`",
    by: `${ERASE}, with the intent`,
  },
  {
    place: "the sandbox rail's store",
    holds: "references",
    why: "testers look at what was paid",
    until: "30 days",
    goes: "erase",
    exported: "as in `payments.json`",
    by: `${ERASE}; another company's rail keeps what it was told by its own rules`,
  },
  {
    place: "commissions, requests for them, stored exports",
    holds: "the student's name",
    why: "tenants tell payments apart by it",
    until: "for good; exports 90 days",
    goes: "erase",
    exported: "`commissions.json`",
    by: `${ERASE}: \`studentName\` reads \`erased\`, ids and amounts stay`,
  },
  {
    place: "unused uploads",
    holds: "documents",
    why: "a payment is about to name them",
    until: "two days; their record one more",
    goes: "by itself",
    by: "S3 and the daily sweep",
  },
  {
    place: "bindings of Idempotency-Keys",
    holds: "digests of a key and a request, refusals; no details",
    why: "a repeated request gets the same answer",
    until: "25 hours",
    goes: "by itself",
    by: "DynamoDB",
  },
  {
    place: "counts of rate limits and of unpaid payments by a link",
    holds: "addresses that callers came from; of payers a digest",
    why: "nobody may ask too often, or keep links from others",
    until: "minutes; digests for good",
    goes: "by itself",
    by: "DynamoDB; a digest leads to no payment once its intent is erased",
  },
  {
    place: "logs of functions, the gateway, the firewall and the edge; in production of requests to the bucket",
    holds: "addresses and clients that requests came from",
    why: "an attack can be traced",
    until: "a month; in production a year",
    goes: "by itself",
    by: "CloudWatch, S3",
  },
  {
    place: "webhook deliveries",
    holds: "ids, statuses, times; of an attempt that failed, the beginning of what the receiver answered",
    why: "a tenant sees what its receiver was sent",
    until: "30 days",
    goes: "by itself",
    by: "DynamoDB",
  },
  {
    place: "older versions of files",
    holds: "what was deleted or replaced",
    why: "a deletion by mistake can be undone",
    until: "30 days; `tmp/` and `payers/` one or two",
    goes: "by itself",
    by: "S3",
  },
  {
    place: "point-in-time backups of the table",
    holds: "every record as it was",
    why: "the table can be restored",
    until: "35 days",
    goes: "by itself",
    by: "DynamoDB; after a restore, repeat the erasures since, which the operators' audit lists",
  },
  {
    place: "ledger, audit of intents, and their copies in production",
    holds: "ids, amounts, times, names of the tenant's users and of operators; no payer, no student",
    why: "the books and their proof",
    until: "for good",
    goes: "never",
    by: "nothing: they hold nobody's details, so that they still verify",
  },
  {
    place: "records of what rails said, reviews and corrections of payments",
    holds: "ids, amounts, times, operators' names and reasons; no payer, no student",
    why: "proof of what became of the money, which keeps it from being paid twice",
    until: "for good",
    goes: "never",
    by: "nothing: the books are verified by them; a person's `payments.json` has the corrections of their payments",
  },
  {
    place: "operators' audit",
    holds: "a digest of the e-mail that was exported or erased, operators' names, reasons",
    why: "proof of what operators did",
    until: "for good",
    goes: "never",
    by: "nothing: a reason that tells the e-mail is refused",
  },
  {
    place: "traces of who read an identity document, and their copies in production",
    holds: "ids of a student, payer or payment and of a document, times, the tenant's client or an operator's name",
    why: "whoever was read about can learn who has it",
    until: "for good",
    goes: "never",
    by: "nothing: they hold no name of the person, and nobody can take them back",
  },
  {
    place: "payees",
    holds: "names of receivers, which may be people, and whether they are",
    why: "they are paid, and the books name them",
    until: "for good",
    goes: "never",
    by: "nothing: a tenant's receiver is not found by an e-mail",
  },
];
