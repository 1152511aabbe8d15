// Written from docs/openapi.json by `pnpm openapi`, and never by hand.

/** ISO 3166-1 alpha-2 country */
export type CountryCode =
  | "AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ"
  | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS"
  | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN"
  | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE"
  | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF"
  | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM"
  | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM"
  | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC"
  | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK"
  | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA"
  | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG"
  | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW"
  | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS"
  | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO"
  | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI"
  | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW";

/** ISO 4217 currency */
export type CurrencyCode =
  | "BIF" | "CLP" | "DJF" | "GNF" | "ISK" | "JPY" | "KMF" | "KRW" | "PYG" | "RWF" | "UGX" | "VND" | "VUV" | "XAF"
  | "XOF" | "XPF" | "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT"
  | "BMD" | "BND" | "BOB" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHF" | "CNY" | "COP"
  | "CRC" | "CUP" | "CVE" | "CZK" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP"
  | "GEL" | "GHS" | "GIP" | "GMD" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IRR"
  | "JMD" | "KES" | "KGS" | "KHR" | "KPW" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "MAD" | "MDL"
  | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MYR" | "MZN" | "NAD" | "NGN"
  | "NIO" | "NOK" | "NPR" | "NZD" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "QAR" | "RON" | "RSD" | "RUB"
  | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP"
  | "SZL" | "THB" | "TJS" | "TMT" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "USD" | "UYU" | "UZS" | "VED"
  | "VES" | "WST" | "XCD" | "XCG" | "YER" | "ZAR" | "ZMW" | "ZWG" | "BHD" | "IQD" | "JOD" | "KWD" | "LYD" | "OMR"
  | "TND" | "CLF" | "UYW";

/** What a payee is. A recipient in the role `education_provider` is a `school`, or a payee without a kind */
export type PayeeKind = "school" | "company" | "person";

/** What a key may do beyond what every key may */
export type Permission =
  | "AllowSplitPayment" | "AllowBulkPayment" | "AllowLegacyReissue";

/** What the bytes of a document are */
export type DocumentContentType = "application/pdf" | "image/jpeg" | "image/png";

/** Whether a person or a company pays */
export type SavedPayerType = "individual" | "business";

/** ISO 3166-1 alpha-3 country */
export type CountryCodeAlpha3 =
  | "AND" | "ARE" | "AFG" | "ATG" | "AIA" | "ALB" | "ARM" | "AGO" | "ATA" | "ARG" | "ASM" | "AUT" | "AUS" | "ABW"
  | "ALA" | "AZE" | "BIH" | "BRB" | "BGD" | "BEL" | "BFA" | "BGR" | "BHR" | "BDI" | "BEN" | "BLM" | "BMU" | "BRN"
  | "BOL" | "BES" | "BRA" | "BHS" | "BTN" | "BVT" | "BWA" | "BLR" | "BLZ" | "CAN" | "CCK" | "COD" | "CAF" | "COG"
  | "CHE" | "CIV" | "COK" | "CHL" | "CMR" | "CHN" | "COL" | "CRI" | "CUB" | "CPV" | "CUW" | "CXR" | "CYP" | "CZE"
  | "DEU" | "DJI" | "DNK" | "DMA" | "DOM" | "DZA" | "ECU" | "EST" | "EGY" | "ESH" | "ERI" | "ESP" | "ETH" | "FIN"
  | "FJI" | "FLK" | "FSM" | "FRO" | "FRA" | "GAB" | "GBR" | "GRD" | "GEO" | "GUF" | "GGY" | "GHA" | "GIB" | "GRL"
  | "GMB" | "GIN" | "GLP" | "GNQ" | "GRC" | "SGS" | "GTM" | "GUM" | "GNB" | "GUY" | "HKG" | "HMD" | "HND" | "HRV"
  | "HTI" | "HUN" | "IDN" | "IRL" | "ISR" | "IMN" | "IND" | "IOT" | "IRQ" | "IRN" | "ISL" | "ITA" | "JEY" | "JAM"
  | "JOR" | "JPN" | "KEN" | "KGZ" | "KHM" | "KIR" | "COM" | "KNA" | "PRK" | "KOR" | "KWT" | "CYM" | "KAZ" | "LAO"
  | "LBN" | "LCA" | "LIE" | "LKA" | "LBR" | "LSO" | "LTU" | "LUX" | "LVA" | "LBY" | "MAR" | "MCO" | "MDA" | "MNE"
  | "MAF" | "MDG" | "MHL" | "MKD" | "MLI" | "MMR" | "MNG" | "MAC" | "MNP" | "MTQ" | "MRT" | "MSR" | "MLT" | "MUS"
  | "MDV" | "MWI" | "MEX" | "MYS" | "MOZ" | "NAM" | "NCL" | "NER" | "NFK" | "NGA" | "NIC" | "NLD" | "NOR" | "NPL"
  | "NRU" | "NIU" | "NZL" | "OMN" | "PAN" | "PER" | "PYF" | "PNG" | "PHL" | "PAK" | "POL" | "SPM" | "PCN" | "PRI"
  | "PSE" | "PRT" | "PLW" | "PRY" | "QAT" | "REU" | "ROU" | "SRB" | "RUS" | "RWA" | "SAU" | "SLB" | "SYC" | "SDN"
  | "SWE" | "SGP" | "SHN" | "SVN" | "SJM" | "SVK" | "SLE" | "SMR" | "SEN" | "SOM" | "SUR" | "SSD" | "STP" | "SLV"
  | "SXM" | "SYR" | "SWZ" | "TCA" | "TCD" | "ATF" | "TGO" | "THA" | "TJK" | "TKL" | "TLS" | "TKM" | "TUN" | "TON"
  | "TUR" | "TTO" | "TUV" | "TWN" | "TZA" | "UKR" | "UGA" | "UMI" | "USA" | "URY" | "UZB" | "VAT" | "VCT" | "VEN"
  | "VGB" | "VIR" | "VNM" | "VUT" | "WLF" | "WSM" | "YEM" | "MYT" | "ZAF" | "ZMB" | "ZWE";

/** The kind of payee: an education provider, a company, or a private person */
export type PaymentType = "provider" | "company" | "private";

/** What a payment is for, as far as the rules are concerned */
export type UseCase =
  | "education_provider_tuition" | "education_provider_tuition_with_tenant_split" | "supplier_payment"
  | "payroll_payment" | "tenant_funded_refund" | "allowance_payment" | "generic_service_invoice"
  | "owed_commission_invoice" | "legacy_transaction_reissue";

/** Which amounts are stated, and which follow from the quote's rate */
export type AmountMode =
  | "payer_fixed" | "recipient_fixed" | "fixed_payee_amounts" | "free_entry_with_portions" | "mixed_composite"
  | "legacy_reissue";

/** Who pays */
export type PayerRole =
  | "student" | "family" | "agent" | "tenant" | "external_school" | "external_partner" | "unknown_link_payer";

/** Who a payer is, as the lookup of payer types lists it */
export type PayerType =
  | "student" | "parent" | "guardian" | "sponsor" | "agent" | "individual" | "business" | "other";

/** Who receives */
export type RecipientRole = "education_provider" | "public_payee" | "tenant";

/** The part of a split that a recipient gets: the principal, or what of it is the tenant's */
export type SplitRole =
  | "principal_provider_amount" | "tenant_commission" | "tenant_service_fee" | "tenant_tax_component" | "other";

/** The purpose that the payer's bank is told. `comission` is spelled so on the wire */
export type Purpose =
  | "undergraduate" | "postgraduate" | "high-school" | "vocational" | "language-course" | "professional-year"
  | "exchange-program" | "accommodation" | "allowance-payment" | "other" | "refund" | "scholarship" | "loan"
  | "other-request" | "comission";

/** `completed`, `failed`, `partially_completed` and `cancelled` are final: stop polling there */
export type PaymentIntentStatus =
  | "draft" | "ready_for_quote" | "quoted" | "ready_for_execution" | "executing" | "completed" | "failed"
  | "partially_completed" | "requires_recovery" | "cancelled" | "pending_link_payment";

/** How a payment is made: by one submit, by a link that payers open, by one of those payers, or as a batch */
export type DeliveryMode =
  | "manual" | "reusable_payment_link" | "payment_link_submission" | "bulk";

/**
 * How the rail's word and the books disagree: the rail accepted a payment after its submission was given up, tells
 * another end than its status, or was paid for a single-use link that was closed already
 */
export type ReviewReason =
  | "accepted_after_release" | "contradicts_outcome" | "paid_after_close";

/**
 * Where the money is: `owed` by the payer once the rail accepted it, `received` where the rail tells that it came in,
 * `delivered`, `failed`, or `returned` after it was delivered; in a batch `planned` before the rail accepts it
 */
export type MoneyState =
  | "planned" | "owed" | "received" | "delivered" | "failed" | "returned";

/**
 * How the payment of a recipient stands. `cleared`, `failed` and `cancelled` are final; `held` and `waiting` occur in
 * batches only
 */
export type LegStatus =
  | "pending" | "held" | "waiting" | "executing" | "cleared" | "failed" | "cancelled";

/** What happened; a move to a status is named like it */
export type TimelineEventType =
  | "paymentIntent.created" | "paymentIntent.terms_accepted" | "paymentIntent.compiled"
  | "paymentIntent.submission_claimed" | "paymentIntent.submission_taken_over" | "paymentIntent.outcome_unknown"
  | "paymentIntent.submission_released" | "paymentIntent.submitted" | "paymentIntent.link_published"
  | "paymentIntent.link_closed" | "paymentIntent.executing" | "paymentIntent.requires_recovery"
  | "paymentIntent.completed" | "paymentIntent.partially_completed" | "paymentIntent.failed"
  | "paymentIntent.cancelled" | "paymentIntent.held" | "paymentIntent.resumed" | "paymentIntent.stopped"
  | "paymentIntent.resolved" | "paymentIntent.reviewOpened" | "paymentIntent.reviewClosed" | "paymentIntent.corrected";

/** What has come to which status */
export type EventType =
  | "paymentIntent.draft" | "paymentIntent.ready_for_quote" | "paymentIntent.quoted"
  | "paymentIntent.ready_for_execution" | "paymentIntent.executing" | "paymentIntent.completed"
  | "paymentIntent.failed" | "paymentIntent.partially_completed" | "paymentIntent.requires_recovery"
  | "paymentIntent.cancelled" | "paymentIntent.pending_link_payment" | "leg.pending" | "leg.held" | "leg.waiting"
  | "leg.executing" | "leg.cleared" | "leg.failed" | "leg.cancelled" | "paymentLink.open" | "paymentLink.held"
  | "paymentLink.closed" | "commissionRequest.submitted" | "commissionRequest.paid" | "commissionRequest.rejected"
  | "webhookEndpoint.disabled" | "paymentIntent.reviewOpened" | "paymentIntent.reviewClosed"
  | "paymentIntent.corrected";

/** The status of what has changed from then on */
export type EventStatus =
  | "draft" | "ready_for_quote" | "quoted" | "ready_for_execution" | "executing" | "completed" | "failed"
  | "partially_completed" | "requires_recovery" | "cancelled" | "pending_link_payment" | "pending" | "held" | "waiting"
  | "cleared" | "open" | "closed" | "submitted" | "paid" | "rejected" | "disabled";

/** A type of events, or a kind of thing that events are about */
export type WantedEventType =
  | "paymentIntent" | "leg" | "paymentLink" | "commissionRequest" | "webhookEndpoint" | "paymentIntent.draft"
  | "paymentIntent.ready_for_quote" | "paymentIntent.quoted" | "paymentIntent.ready_for_execution"
  | "paymentIntent.executing" | "paymentIntent.completed" | "paymentIntent.failed"
  | "paymentIntent.partially_completed" | "paymentIntent.requires_recovery" | "paymentIntent.cancelled"
  | "paymentIntent.pending_link_payment" | "leg.pending" | "leg.held" | "leg.waiting" | "leg.executing" | "leg.cleared"
  | "leg.failed" | "leg.cancelled" | "paymentLink.open" | "paymentLink.held" | "paymentLink.closed"
  | "commissionRequest.submitted" | "commissionRequest.paid" | "commissionRequest.rejected"
  | "webhookEndpoint.disabled" | "paymentIntent.reviewOpened" | "paymentIntent.reviewClosed"
  | "paymentIntent.corrected";

/** How a commission request stands; `paid` and `rejected` are final */
export type CommissionRequestStatus = "submitted" | "paid" | "rejected";
