"""Calls AWS as `aws-call.py <service> <operation> <parameters as JSON>` and prints the answer as JSON."""

import json
import sys

from botocore.session import get_session

service, operation, parameters = sys.argv[1:]
answer = getattr(get_session().create_client(service), operation)(**json.loads(parameters))
json.dump(answer, sys.stdout, default=lambda value: value.read().decode() if hasattr(value, "read") else str(value))
