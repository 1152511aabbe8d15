import { kept, notPersonal, type Privacy } from "../privacy/erasure.ts";
import type { LinkTerms } from "./payment-link.ts";

export const linkTermsPrivacy: Privacy<LinkTerms> = {
  ...notPersonal("amountType", "amount", "currency", "payFromCountryLocked", "isSingleUse"),
  recipientName: kept.payee,
  recipients: { name: kept.payee, amount: "not personal", currency: "not personal" },
  reference: "replaced unless ours",
  payFromCountryCode: kept.country,
};
