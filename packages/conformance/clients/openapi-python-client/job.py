"""Pays tuition by bank transfer, and lists what is completed, with the client that openapi-python-client generates."""

import json
import sys
import time
from io import BytesIO
from typing import TypeVar

from generated.api.documents import upload_document
from generated.api.parties import create_student
from generated.api.payment_intents import (
    create_payment_intent,
    dry_run_payment_intent,
    get_payment_intent,
    list_payment_intents,
    submit_payment_intent,
)
from generated.api.rates import create_quote
from generated.client import AuthenticatedClient
from generated.models.dry_run_answer import DryRunAnswer
from generated.models.payment_intent_input import PaymentIntentInput
from generated.models.student_input import StudentInput
from generated.models.payment_intent import PaymentIntent
from generated.models.payment_intent_answer import PaymentIntentAnswer
from generated.models.payment_intent_page import PaymentIntentPage
from generated.models.payment_intent_status import PaymentIntentStatus
from generated.models.quote import Quote
from generated.models.quote_answer import QuoteAnswer
from generated.models.quote_question import QuoteQuestion
from generated.models.student_answer import StudentAnswer
from generated.models.upload_document_form import UploadDocumentForm
from generated.models.uploaded_document_answer import UploadedDocumentAnswer
from generated.types import UNSET, File, Unset

Expected = TypeVar("Expected")


def must(answer: object, expected: type[Expected]) -> Expected:
    if not isinstance(answer, expected):
        raise RuntimeError(answer)
    return answer


def tuition_request(quote: Quote, student_id: str, document_id: str) -> PaymentIntentInput:
    variant = next(variant for variant in quote.variants if variant.meta.category == "bank-transfer")
    return PaymentIntentInput.from_dict(
        {
            "useCase": "education_provider_tuition",
            "deliveryMode": "manual",
            "amountMode": "payer_fixed",
            "payer": {"role": "student", "partyId": student_id},
            "recipients": [
                {
                    "role": "education_provider",
                    "connectorPayeeId": payout.payee_id,
                    "amount": {"payerAmount": f"{payout.payer_amount:.2f}"},
                }
                for payout in quote.payouts
            ],
            "instructions": {
                "manualPayment": {
                    "quoteId": str(quote.quote_id),
                    "selectedQuoteVariantId": variant.id,
                    "purpose": "undergraduate",
                    "countryCode": "BR",
                    "payerIdentityDocumentId": document_id,
                }
            },
            "termsAccepted": True,
        }
    )


def until_it_ends(client: AuthenticatedClient, intent_id: str) -> PaymentIntent:
    while True:
        intent = must(get_payment_intent.sync(intent_id, client=client), PaymentIntentAnswer).data
        if intent.status != "executing":
            return intent
        time.sleep(0.1)


def completed(client: AuthenticatedClient) -> list[str]:
    ids: list[str] = []
    cursor: str | Unset = UNSET
    while True:
        answer = list_payment_intents.sync(
            client=client, filterstatus=PaymentIntentStatus.COMPLETED, sort="-createdAt", limit=2, cursor=cursor
        )
        page = must(answer, PaymentIntentPage)
        ids += [str(intent.id) for intent in page.data.payment_intents]
        if isinstance(page.next_cursor, Unset):
            return ids
        cursor = page.next_cursor


def do_job(base_url: str, api_key: str) -> dict[str, object]:
    client = AuthenticatedClient(base_url=base_url, token=api_key, prefix="", auth_header_name="X-API-Key")

    wanted = {"payouts": [{"payeeId": 5001, "amount": 1500}], "countryCode": "BR", "paymentType": "provider"}
    quote = must(create_quote.sync(client=client, body=QuoteQuestion.from_dict(wanted)), QuoteAnswer).data
    ana = StudentInput(first_name="Ana", last_name="Silva", email="ana@example.com")
    student = must(create_student.sync(client=client, body=ana), StudentAnswer).data
    passport = File(BytesIO(b"%PDF-1.7 a passport"), "passport.pdf", "application/pdf")
    upload = UploadDocumentForm(file=passport)
    document = must(upload_document.sync(client=client, body=upload), UploadedDocumentAnswer).data
    body = tuition_request(quote, str(student.field_id), str(document.document_id))
    draft = must(create_payment_intent.sync(client=client, body=body), PaymentIntentAnswer).data
    intent_id = str(draft.id)
    evaluation = must(dry_run_payment_intent.sync(intent_id, client=client), DryRunAnswer).data
    must(
        submit_payment_intent.sync(intent_id, client=client, idempotency_key=f"key-{intent_id}"), PaymentIntentAnswer
    )
    intent = until_it_ends(client, intent_id)

    text = json.dumps({"status": "completed", "payer.partyId": str(student.field_id)})
    found = must(list_payment_intents.sync(client=client, filter_=text), PaymentIntentPage)
    deposit = intent.connector_payment
    return {
        "status": intent.status,
        "missing": evaluation.rule.missing_requirements,
        "account": None if isinstance(deposit, Unset) else deposit.transaction_bank_details.account_number,
        "paymentIds": [number for execution in intent.executions for number in execution.connector_payment_ids],
        "id": intent_id,
        "completed": completed(client),
        "found": [str(intent.id) for intent in found.data.payment_intents],
    }


if __name__ == "__main__":
    print(json.dumps(do_job(sys.argv[1], sys.argv[2])))
