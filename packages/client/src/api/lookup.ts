// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

import type { Options } from "../route.ts";
import type { CountryList, PayerTypeList, PaymentMethodList, PurposeList } from "../schemas/lookup.ts";
import type { PaymentType } from "../schemas/words.ts";

export type LookupMethods = {
  /**
   * All countries with their currencies.
   *
   * By ISO 3166-1. Scope: `read`.
   */
  listCountries(query?: {
    /** So many are left out */ skip?: number;
    /** At most so many */ limit?: number;
  }, options?: Options): Promise<CountryList>;

  /**
   * The ways in which a payee can be paid.
   *
   * For a payee that the caller can see. Scope: `read`.
   */
  listPaymentMethods(payeeId: string | number, query?: {
    /** So many are left out */ skip?: number;
    /** At most so many */ limit?: number;
  }, options?: Options): Promise<PaymentMethodList>;

  /**
   * The purposes that a payment of this type may have.
   *
   * What `purpose` can be when a payee of this type is paid. Scope: `read`.
   */
  listPurposes(type: PaymentType, query?: {
    /** So many are left out */ skip?: number;
    /** At most so many */ limit?: number;
  }, options?: Options): Promise<PurposeList>;

  /**
   * The payer types of payments of this type.
   *
   * What `payerType` can be when a payee of this type is paid. Scope: `read`.
   */
  listPayerTypes(type: PaymentType, query?: {
    /** So many are left out */ skip?: number;
    /** At most so many */ limit?: number;
  }, options?: Options): Promise<PayerTypeList>;
};
