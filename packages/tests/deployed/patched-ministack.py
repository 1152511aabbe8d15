"""Starts MiniStack 1.5.33 with what it lacks of the AWS that the stack relies on. No file of it is changed.

The functions replaced here are private to it, so that any other version is refused, and one that is missing ends the start.
"""

import contextvars
import json
import sys
from importlib.metadata import version

WRITTEN_FOR = "1.5.33"
if version("ministack") != WRITTEN_FOR:
    sys.exit(f"These patches are for MiniStack {WRITTEN_FOR}, not {version('ministack')}")

from ministack import app  # noqa: E402
from ministack.core import iam_actions  # noqa: E402
from ministack.services import apigateway_v1 as gateway  # noqa: E402
from ministack.services.cloudformation.provisioners import _RESOURCE_HANDLERS as provisioners  # noqa: E402


def replace(owner, name, make):
    """Puts `make(original)` in the place of a function; raises AttributeError where there is none of that name."""
    setattr(owner, name, make(getattr(owner, name)))


# IAM has no actions for batches: they take the permission of their single call.
def with_batches(extract):
    def extract_iam_action(service, *request):
        action = extract(service, *request)
        return action.removesuffix("Batch") if service == "sqs" and action else action

    return extract_iam_action


replace(iam_actions, "extract_iam_action", with_batches)


# Whoever has keys in a request has `dynamodb:LeadingKeys` there, and a write its attributes, which MiniStack does not tell.
# They are present and empty here, so that conditions on their presence are judged, and those on their values are met.
NAMES_KEYS = ("Key", "Item", "KeyConditionExpression", "RequestItems", "TransactItems")
WRITES = ("Item", "UpdateExpression", "TransactItems")


def with_present_keys(read):
    def dynamodb_service_context(body):
        context = read(body)
        request = json.loads(body or b"{}")
        if any(name in request for name in NAMES_KEYS):
            context.setdefault("dynamodb:LeadingKeys", [])
        if any(name in request for name in WRITES):
            context.setdefault("dynamodb:Attributes", [])
        return context

    return dynamodb_service_context


replace(iam_actions, "dynamodb_service_context", with_present_keys)


# CloudFormation drops ApiKeySourceType when it creates an API.
def with_key_source(create):
    def create_rest_api(logical_id, properties, stack_name):
        api_id, attributes = create(logical_id, properties, stack_name)
        if "ApiKeySourceType" in properties:
            gateway._rest_apis[api_id]["apiKeySource"] = properties["ApiKeySourceType"]
        return api_id, attributes

    return create_rest_api


rest_api = provisioners["AWS::ApiGateway::RestApi"]
rest_api["create"] = with_key_source(rest_api["create"])

# API Gateway takes the key to meter by from the authorizer where the API says AUTHORIZER; MiniStack knows the header
# only. It travels in the authorizer's context, because that is what is cached.
CARRIED = "__usageIdentifierKey"
# What the authorizer of the request at hand named; None: that API does not take its keys from there.
metered_by = contextvars.ContextVar("metered_by", default=None)


def with_carried_key(call):
    async def invoke_authorizer(*arguments):
        result = await call(*arguments)
        body = (result or {}).get("body")
        if not isinstance(body, dict) or not body.get("usageIdentifierKey"):
            return result
        context = {**(body.get("context") or {}), CARRIED: body["usageIdentifierKey"]}
        return {**result, "body": {**body, "context": context}}

    return invoke_authorizer


def with_metering(authorize):
    async def authorize_request(api_id, *arguments, **named):
        metered_by.set(None)
        error, context = await authorize(api_id, *arguments, **named)
        if context is not None:
            context = dict(context)
            key = context.pop(CARRIED, "")
            if gateway._rest_apis[api_id].get("apiKeySource") == "AUTHORIZER":
                metered_by.set(key)
        return error, context

    return authorize_request


def with_metered_key(read_header):
    def api_key_from_request(headers):
        key = metered_by.get()
        return read_header(headers) if key is None else key

    return api_key_from_request


replace(gateway, "_invoke_authorizer_lambda", with_carried_key)
replace(gateway, "_authorize_request_v1", with_metering)
replace(gateway, "_api_key_from_request", with_metered_key)

# It would listen on 443 as well where it may, although nobody asks there.
replace(app, "_port_is_bindable", lambda _: lambda _host, _port: False)

if __name__ == "__main__":
    app.main()
