// The closed vocabularies of SPEC, "Payment intent".
export const useCases = [
  "education_provider_tuition",
  "education_provider_tuition_with_tenant_split",
  "supplier_payment",
  "payroll_payment",
  "tenant_funded_refund",
  "allowance_payment",
  "generic_service_invoice",
  "owed_commission_invoice",
  "legacy_transaction_reissue",
] as const;

export const deliveryModes = ["manual", "reusable_payment_link", "payment_link_submission", "bulk"] as const;

export const amountModes = [
  "payer_fixed",
  "recipient_fixed",
  "fixed_payee_amounts",
  "free_entry_with_portions",
  "mixed_composite",
  "legacy_reissue",
] as const;

export const payerRoles = [
  "student",
  "family",
  "agent",
  "tenant",
  "external_school",
  "external_partner",
  "unknown_link_payer",
] as const;

export const recipientRoles = ["education_provider", "public_payee", "tenant"] as const;

export const splitRoles = [
  "principal_provider_amount",
  "tenant_commission",
  "tenant_service_fee",
  "tenant_tax_component",
  "other",
] as const;

/** `comission` is spelled so by the specification, and only so accepted. */
export const purposes = [
  "undergraduate",
  "postgraduate",
  "high-school",
  "vocational",
  "language-course",
  "professional-year",
  "exchange-program",
  "accommodation",
  "allowance-payment",
  "other",
  "refund",
  "scholarship",
  "loan",
  "other-request",
  "comission",
] as const;

export type UseCase = (typeof useCases)[number];

export type DeliveryMode = (typeof deliveryModes)[number];

export type AmountMode = (typeof amountModes)[number];

export type PayerRole = (typeof payerRoles)[number];

export type RecipientRole = (typeof recipientRoles)[number];

export type SplitRole = (typeof splitRoles)[number];

export type Purpose = (typeof purposes)[number];

/** The fields that decide which rule applies. */
export type Scenario = Readonly<{
  useCase: UseCase;
  deliveryMode: DeliveryMode;
  amountMode: AmountMode;
  payer: Readonly<{ role: PayerRole }>;
}>;
