"""Pays tuition by bank transfer, and lists what is completed, with the client that openapi-generator makes."""

import json
import sys
import time

from openapi_client import (
    AmountMode,
    ApiClient,
    Configuration,
    CountryCode,
    DocumentsApi,
    IntentPayerInput,
    ManualPaymentInput,
    ManualPaymentInputSelectedQuoteVariantId,
    PartiesApi,
    PayerRole,
    PaymentIntent,
    PaymentIntentInput,
    PaymentIntentInputInstructions,
    PaymentIntentItem,
    PaymentIntentPage,
    PaymentIntentsApi,
    PaymentIntentStatus,
    PaymentType,
    Purpose,
    Quote,
    QuoteQuestion,
    QuoteQuestionPayoutsInner,
    RatesApi,
    RecipientAmountInput,
    RecipientInput,
    RecipientRole,
    StudentInput,
    UseCase,
)


def tuition_request(quote: Quote, student_id: str, document_id: str) -> PaymentIntentInput:
    variant = next(variant for variant in quote.variants if variant.meta.category == "bank-transfer")
    return PaymentIntentInput(
        useCase=UseCase.EDUCATION_PROVIDER_TUITION,
        deliveryMode="manual",
        amountMode=AmountMode.PAYER_FIXED,
        payer=IntentPayerInput(role=PayerRole.STUDENT, partyId=student_id),
        recipients=[
            RecipientInput(
                role=RecipientRole.EDUCATION_PROVIDER,
                connectorPayeeId=payout.payee_id,
                amount=RecipientAmountInput(payerAmount=f"{payout.payer_amount:.2f}"),
            )
            for payout in quote.payouts
        ],
        instructions=PaymentIntentInputInstructions(
            manualPayment=ManualPaymentInput(
                quoteId=str(quote.quote_id),
                selectedQuoteVariantId=ManualPaymentInputSelectedQuoteVariantId(variant.id),
                purpose=Purpose.UNDERGRADUATE,
                countryCode=CountryCode.BR,
                payerIdentityDocumentId=document_id,
            )
        ),
        termsAccepted=True,
    )


def until_it_ends(intents: PaymentIntentsApi, intent_id: str) -> PaymentIntent:
    while True:
        intent = intents.get_payment_intent(intent_id).data
        if intent.status != PaymentIntentStatus.EXECUTING:
            return intent
        time.sleep(0.1)


def ids_of(page: PaymentIntentPage) -> list[str]:
    items = [one.actual_instance for one in page.data.payment_intents]
    return [item.id for item in items if isinstance(item, PaymentIntentItem)]


def completed(intents: PaymentIntentsApi) -> list[str]:
    ids: list[str] = []
    cursor: str | None = None
    while True:
        page = intents.list_payment_intents(
            filter_status=PaymentIntentStatus.COMPLETED, sort="-createdAt", limit=2, cursor=cursor
        )
        ids += ids_of(page)
        if page.next_cursor is None:
            return ids
        cursor = page.next_cursor


def do_job(base_url: str, api_key: str) -> dict[str, object]:
    client = ApiClient(Configuration(host=base_url, api_key={"ApiKey": api_key}))
    intents = PaymentIntentsApi(client)

    payout = QuoteQuestionPayoutsInner(payeeId=5001, amount=1500)
    question = QuoteQuestion(payouts=[payout], countryCode=CountryCode.BR, paymentType=PaymentType.PROVIDER)
    quote = RatesApi(client).create_quote(question).data
    ana = StudentInput(firstName="Ana", lastName="Silva", email="ana@example.com")
    student = PartiesApi(client).create_student(ana).data
    document = DocumentsApi(client).upload_document(("passport.pdf", b"%PDF-1.7 a passport")).data
    body = tuition_request(quote, student.record_id, str(document.document_id))
    intent_id = intents.create_payment_intent(body).data.id
    evaluation = intents.dry_run_payment_intent(intent_id).data
    intents.submit_payment_intent(intent_id, idempotency_key=f"key-{intent_id}")
    intent = until_it_ends(intents, intent_id)

    text = json.dumps({"status": "completed", "payer.partyId": student.record_id})
    deposit = intent.connector_payment
    return {
        "status": intent.status.value,
        "missing": evaluation.rule.missing_requirements,
        "account": None if deposit is None else deposit.transaction_bank_details.account_number,
        "paymentIds": [number for execution in intent.executions for number in execution.connector_payment_ids],
        "id": intent_id,
        "completed": completed(intents),
        "found": ids_of(intents.list_payment_intents(filter=text)),
    }


if __name__ == "__main__":
    print(json.dumps(do_job(sys.argv[1], sys.argv[2])))
