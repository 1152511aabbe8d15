/** The explanation of a requirement that is not met: why it exists, what would meet it, and one example. */
export type RequirementText = Readonly<{ reason: string; satisfiedBy: string; example: unknown }>;

const uuid = "3f0e5b0c-6c1e-4b1c-9f0a-2a9d1f1b7c55";

/** Every path that a rule can ask for (`*`: each recipient), and every check that has a name instead of a field. */
export const requirementTexts = {
  "payer.partyId": {
    reason: "Nobody is named who pays",
    satisfiedBy: "payer.partyId of a saved student or payer, or payer.details",
    example: "0198c0ffee00aabbccddeeff",
  },
  "subject.partyId": {
    reason: "No student or payer has this id",
    satisfiedBy: "the _id of a saved student or payer, or subject.details",
    example: "0198c0ffee00aabbccddeeff",
  },
  "payer.details.firstName": {
    reason: "The payer's first name is missing",
    satisfiedBy: "payer.details.firstName and lastName, or companyName, or the partyId of a saved payer",
    example: "Ana",
  },
  "payer.details.lastName": {
    reason: "The payer's last name is missing",
    satisfiedBy: "payer.details.firstName and lastName, or companyName, or the partyId of a saved payer",
    example: "Silva",
  },
  "subject.details.firstName": {
    reason: "The subject has details, and no name among them",
    satisfiedBy: "a firstName, lastName or companyName in subject.details, or no details at all",
    example: "Ana",
  },
  recipients: {
    reason: "Nobody is named who receives the money",
    satisfiedBy: "at least one recipient",
    example: [{ role: "education_provider", connectorPayeeId: 5001, amount: { payerAmount: "1000.00" } }],
  },
  "recipients.*.role": {
    reason: "The recipient's role is missing or not valid in this scenario",
    satisfiedBy: "one of controls.allowedRecipientRoles",
    example: "education_provider",
  },
  "recipients.*.splitRole": {
    reason: "The split role is not valid in this scenario, or not for the recipient's role",
    satisfiedBy:
      "one of controls.allowedSplitRoles: for a school none of the tenant's, for the tenant not the principal",
    example: "principal_provider_amount",
  },
  "recipients.*.connectorPayeeId": {
    reason: "The recipient's payee is missing or does not exist",
    satisfiedBy: "the numeric id of a payee",
    example: 5001,
  },
  "recipients.*.amount.payerAmount": {
    reason: "What the payer pays for this recipient is missing, or cannot be paid as it is stated",
    satisfiedBy: "a decimal string in the quote's fromCurrency",
    example: "1000.00",
  },
  "recipients.*.amount.payeeAmount": {
    reason: "What this recipient receives is missing, or cannot be paid as it is stated",
    satisfiedBy: "a decimal string in the payee's currency",
    example: "1000.00",
  },
  "recipients.*.amount.portionBps": {
    reason: "The recipient's share is missing",
    satisfiedBy: "an integer in basis points; the shares of all recipients sum to 10000",
    example: 9000,
  },
  "recipients.*.amount.currency": {
    reason: "The recipient's currency is missing, or not that of the amount which this scenario fixes",
    satisfiedBy: "the payer's currency beside payerAmount, the payee's beside payeeAmount, a link's own on a link",
    example: "AUD",
  },
  "recipients.*.purposeProofDocumentId": {
    reason: "The document that proves the purpose is missing or cannot be used",
    satisfiedBy: "the documentId of an upload, used for no other payment",
    example: uuid,
  },
  "recipients.*.reference": {
    reason: "Two recipients of the batch are one and the same payment to the rail",
    satisfiedBy: "references that differ, or none at all, so that they are numbered as lines of the batch",
    example: "June, overtime",
  },
  "recipients.principalLeg": {
    reason: "No recipient is paid the principal of the split",
    satisfiedBy: "a recipient that is not the tenant, booked as principal_provider_amount or without a splitRole",
    example: { role: "education_provider", connectorPayeeId: 5001, splitRole: "principal_provider_amount" },
  },
  "recipients.tenantLeg": {
    reason: "No recipient is paid the tenant's part of the split",
    satisfiedBy: "a recipient in the role tenant, or one whose splitRole begins with tenant_",
    example: { role: "tenant", connectorPayeeId: 1001, splitRole: "tenant_commission" },
  },
  "recipients.portionBpsSum": {
    reason: "The shares do not sum to 10000 basis points (100 %)",
    satisfiedBy: "portionBps of all recipients that sum to exactly 10000",
    example: [9000, 1000],
  },
  "recipients.currency": {
    reason: "The recipients of a link have different currencies",
    satisfiedBy: "one currency for all recipients: it is the link's display currency",
    example: ["AUD", "AUD"],
  },
  "recipients.order": {
    reason: "Two recipients have the same order",
    satisfiedBy: "unique integers, or no order at all",
    example: [0, 1],
  },
  "recipients.maxRecipients": {
    reason: "The connector, or this scenario, takes fewer recipients",
    satisfiedBy: "at most limits.maxRecipients recipients",
    example: [{ role: "education_provider", connectorPayeeId: 5001 }],
  },
  "recipients.size": {
    reason: "The recipients are too large to be stored together with what becomes of them",
    satisfiedBy: "shorter references, or several batches",
    example: [{ role: "public_payee", connectorPayeeId: 5001, reference: "June" }],
  },
  "recipients.totalAmount": {
    reason: "What the payer sends, the fee not counted, lies outside the limits of the chosen variant",
    satisfiedBy: "amounts that sum to between the variant's minAmount and maxAmount, or another variant",
    example: "1000.00",
  },
  "instructions.manualPayment.quoteId": {
    reason: "The quote is missing, unknown, or not for this intent's payees",
    satisfiedBy: "the quoteId of a quote for exactly the recipients that are not the tenant",
    example: uuid,
  },
  "instructions.manualPayment.selectedQuoteVariantId": {
    reason: "No variant of the quote is selected",
    satisfiedBy: "the id of one of the quote's variants",
    example: 1234567890123,
  },
  "instructions.manualPayment.purpose": {
    reason: "The purpose of the payment is missing",
    satisfiedBy: "one of the purposes that GET /v2/lookup/purposes lists",
    example: "undergraduate",
  },
  "instructions.manualPayment.countryCode": {
    reason: "The payer's country is missing or is not the quote's",
    satisfiedBy: "the countryCode of the quote",
    example: "AU",
  },
  "instructions.manualPayment.payerIdentityDocumentId": {
    reason: "The payer's identity document is missing or cannot be used",
    satisfiedBy: "the documentId of an upload, or one minted from a saved document",
    example: uuid,
  },
  "instructions.manualPayment.quotePayoutOrderConfirmed": {
    reason: "The quote has several payouts, whose order must be confirmed",
    satisfiedBy: "true",
    example: true,
  },
  "instructions.paymentLink.payFromCountryCode": {
    reason: "The country that the payer is held to is missing, or no payment can be made from it",
    satisfiedBy: "a country from which payments can be made, or no pay_from_country in lockedFields",
    example: "IN",
  },
  "instructions.reissue.paymentIntentId": {
    reason: "No intent is named that is to be paid again, or none of its money has failed or come back",
    satisfiedBy: "the id of an intent that has ended, and of which money failed or came back",
    example: "0198c0ffee00aabbccddeeff",
  },
  underReview: {
    reason: "The rail may have taken this payment already, and an operator is looking into it",
    satisfiedBy: "the end of the review, which the event paymentIntent.reviewClosed tells",
    example: null,
  },
  "documents.uniqueDocumentIds": {
    reason: "A document is named more than once",
    satisfiedBy: "an upload of its own for every place that names a document",
    example: [uuid, "8c1d2f7e-0b7a-4c58-9d53-6f2b7c1a4e90"],
  },
  status: {
    reason: "The intent is no draft any more",
    satisfiedBy: "a new intent, which is a draft",
    example: "draft",
  },
  useCase: {
    reason: "This use case is not available",
    satisfiedBy: "another useCase",
    example: "education_provider_tuition",
  },
  deliveryMode: { reason: "Not available for this use case", satisfiedBy: "another deliveryMode", example: "manual" },
  amountMode: {
    reason: "Not available for this use case and delivery mode",
    satisfiedBy: "another amountMode",
    example: "payer_fixed",
  },
  "payer.role": {
    reason: "This payer role cannot pay in this scenario",
    satisfiedBy: "another payer.role",
    example: "student",
  },
} as const satisfies Record<string, RequirementText>;

export type RequirementPath = keyof typeof requirementTexts;
