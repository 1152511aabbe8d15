"""Makes the request of each line with the client that openapi-generator makes, and prints the answer."""

import json
import sys

from openapi_client import (
    ApiClient,
    Configuration,
    DocumentsApi,
    PartiesApi,
    PaymentIntentInput,
    PaymentIntentsApi,
    QuoteQuestion,
    RatesApi,
    StudentInput,
)

base_url, api_key = sys.argv[1:]
client = ApiClient(Configuration(host=base_url, api_key={"ApiKey": api_key}))
intents = PaymentIntentsApi(client)


def list_intents(query):
    return intents.list_payment_intents(filter_status=query.pop("filter[status]", None), **query)


calls = {
    "createQuote": lambda asked: RatesApi(client).create_quote(QuoteQuestion.from_dict(asked["body"])),
    "createStudent": lambda asked: PartiesApi(client).create_student(StudentInput.from_dict(asked["body"])),
    "uploadDocument": lambda asked: DocumentsApi(client).upload_document(asked["file"]),
    "createPaymentIntent": lambda asked: intents.create_payment_intent(PaymentIntentInput.from_dict(asked["body"])),
    "dryRunPaymentIntent": lambda asked: intents.dry_run_payment_intent(asked["id"]),
    "submitPaymentIntent": lambda asked: intents.submit_payment_intent(
        asked["id"], idempotency_key=asked["idempotencyKey"]
    ),
    "getPaymentIntent": lambda asked: intents.get_payment_intent(asked["id"]),
    "listPaymentIntents": lambda asked: list_intents(asked["query"]),
}
for line in sys.stdin:
    asked = json.loads(line)
    print(calls[asked["operation"]](asked).to_json(), flush=True)
