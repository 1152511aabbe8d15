import { commissionRequestStatuses } from "@intents/domain/commissions/request.ts";
import { legStatuses } from "@intents/domain/intents/leg-status.ts";
import { reviewReasons } from "@intents/domain/intents/review.ts";
import { intentStatuses } from "@intents/domain/intents/statuses.ts";
import { moneyStates } from "@intents/domain/money-state/money-state.ts";
import { permissions } from "@intents/domain/parties/caller.ts";
import { documentTypes } from "@intents/domain/parties/document.ts";
import { payerTypes } from "@intents/domain/parties/party.ts";
import { payeeKinds } from "@intents/domain/parties/payee.ts";
import { paymentTypes } from "@intents/domain/quotes/quote.ts";
import { countries, findCountry, findCountryByAlpha3 } from "@intents/domain/reference/countries.ts";
import { currencyCodes, isCurrency } from "@intents/domain/reference/currency.ts";
import {
  amountModes,
  deliveryModes,
  payerRoles,
  purposes,
  recipientRoles,
  splitRoles,
  useCases,
} from "@intents/domain/scenarios/scenario.ts";
import * as z from "zod";
import { lazily } from "./route.ts";

// The closed vocabularies of the contract, each a component of its own under its name.

const words = <const Word extends string>(id: string, description: string, known: readonly Word[]) =>
  lazily(() => z.enum(known).meta({ id, description }));

export const UseCase = words("UseCase", "What a payment is for, as far as the rules are concerned", useCases);
export const DeliveryMode = words(
  "DeliveryMode",
  "How a payment is made: by one submit, by a link that payers open, by one of those payers, or as a batch",
  deliveryModes,
);
export const AmountMode = words(
  "AmountMode",
  "Which amounts are stated, and which follow from the quote's rate",
  amountModes,
);
export const PayerRole = words("PayerRole", "Who pays", payerRoles);
export const RecipientRole = words("RecipientRole", "Who receives", recipientRoles);
export const SplitRole = words(
  "SplitRole",
  "The part of a split that a recipient gets: the principal, or what of it is the tenant's",
  splitRoles,
);
export const Purpose = words(
  "Purpose",
  "The purpose that the payer's bank is told. `comission` is spelled so on the wire",
  purposes,
);
export const IntentStatus = words(
  "PaymentIntentStatus",
  "`completed`, `failed`, `partially_completed` and `cancelled` are final: stop polling there",
  intentStatuses,
);
export const MoneyState = words(
  "MoneyState",
  "Where the money is: `owed` by the payer once the rail accepted it, `received` where the rail tells that it came in, " +
    "`delivered`, `failed`, or `returned` after it was delivered; in a batch `planned` before the rail accepts it",
  moneyStates,
);
export const PayeeKind = words(
  "PayeeKind",
  "What a payee is. A recipient in the role `education_provider` is a `school`, or a payee without a kind",
  payeeKinds,
);
export const PaymentType = words(
  "PaymentType",
  "The kind of payee: an education provider, a company, or a private person",
  paymentTypes,
);
export const PayerType = words("PayerType", "Who a payer is, as the lookup of payer types lists it", payerTypes);
export const Permission = words("Permission", "What a key may do beyond what every key may", permissions);
export const DocumentType = words("DocumentContentType", "What the bytes of a document are", documentTypes);

/** A code of a closed list, named in full in the document and by its standard in problems. */
const code = (id: string, standard: string, known: readonly string[], isKnown: (code: string) => boolean) =>
  lazily(() =>
    z.string().refine(isKnown, `must be an ${standard} code`).meta({ id, description: standard, enum: known }),
  );

export const CountryCode = code(
  "CountryCode",
  "ISO 3166-1 alpha-2 country",
  countries.map(({ countryCode }) => countryCode),
  (text) => findCountry(text) !== undefined,
);
export const CountryCodeAlpha3 = code(
  "CountryCodeAlpha3",
  "ISO 3166-1 alpha-3 country",
  countries.map(({ alpha3 }) => alpha3),
  (text) => findCountryByAlpha3(text) !== undefined,
);
export const CurrencyCode = code("CurrencyCode", "ISO 4217 currency", currencyCodes, isCurrency);
export const CommissionRequestStatus = words(
  "CommissionRequestStatus",
  "How a commission request stands; `paid` and `rejected` are final",
  commissionRequestStatuses,
);
export const LegStatus = words(
  "LegStatus",
  "How the payment of a recipient stands. `cleared`, `failed` and `cancelled` are final; `held` and `waiting` occur in batches only",
  legStatuses,
);
export const ReviewReason = words(
  "ReviewReason",
  "How the rail's word and the books disagree: the rail accepted a payment after its submission was given up, tells another end than its status, or was paid for a single-use link that was closed already",
  reviewReasons,
);
