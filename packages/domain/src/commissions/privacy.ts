import { kept, notPersonal, type Privacy } from "../privacy/erasure.ts";
import type { Commission } from "./commission.ts";

export const commissionPrivacy: Privacy<Commission> = {
  ...notPersonal("id", "paymentId", "correction", "payerAmount", "payerCurrency", "commissionAmount"),
  ...notPersonal("commissionCurrency", "commissionSpread", "paymentDate", "commissionRequestDate"),
  ...notPersonal("commissionPaidDate", "underReview"),
  studentName: "replaced",
  payeeName: kept.payee,
};
