// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

/** The scenarios that the service executes. It calls every other combination `blocked`. */
export type PaymentScenario =
  | {
      useCase: "education_provider_tuition" | "education_provider_tuition_with_tenant_split";
      deliveryMode: "manual"; amountMode: "payer_fixed"; payer: { role: "student" | "family" | "agent" | "external_school" | "external_partner" };
    }
  | {
      useCase: "supplier_payment" | "tenant_funded_refund";
      deliveryMode: "manual"; amountMode: "recipient_fixed"; payer: { role: "tenant" };
    }
  | {
      useCase: "allowance_payment";
      deliveryMode: "manual"; amountMode: "recipient_fixed"; payer: { role: "student" | "family" };
    }
  | {
      useCase: "payroll_payment";
      deliveryMode: "bulk"; amountMode: "mixed_composite"; payer: { role: "tenant" };
    }
  | {
      useCase: "legacy_transaction_reissue";
      deliveryMode: "manual"; amountMode: "legacy_reissue"; payer: { role: "student" | "family" | "agent" | "external_school" | "external_partner" };
    }
  | {
      useCase: "legacy_transaction_reissue";
      deliveryMode: "manual"; amountMode: "legacy_reissue"; payer: { role: "tenant" };
    }
  | {
      useCase: "education_provider_tuition" | "generic_service_invoice" | "owed_commission_invoice";
      deliveryMode: "reusable_payment_link"; amountMode: "fixed_payee_amounts"; payer: { role: "unknown_link_payer" };
    }
  | {
      useCase: "education_provider_tuition_with_tenant_split" | "education_provider_tuition" | "generic_service_invoice" | "owed_commission_invoice";
      deliveryMode: "reusable_payment_link"; amountMode: "free_entry_with_portions"; payer: { role: "unknown_link_payer" };
    };
