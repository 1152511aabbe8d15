"""Reads commands of AWS's command line as JSON, a list of words each, and prints what of them does not exist."""

import json
import sys

import botocore.session
from botocore import xform_name

# Commands that the command line puts together itself, by the operations behind them.
OWN = {("s3", "sync"), ("dynamodb", "wait")}
session = botocore.session.get_session()
missing = []
for words in json.load(sys.stdin):
    service, operation, *options = words
    if (service, operation) in OWN:
        continue
    try:
        model = session.get_service_model("s3" if service == "s3api" else service)
    except botocore.exceptions.UnknownServiceError:
        missing.append(f"no service {service}")
        continue
    operations = {xform_name(name, "-"): name for name in model.operation_names}
    if operation not in operations:
        missing.append(f"no {service} {operation}")
        continue
    shape = model.operation_model(operations[operation]).input_shape
    members = {xform_name(name, "-"): member.type_name for name, member in shape.members.items()} if shape else {}
    known = members | {f"no-{name}": type_name for name, type_name in members.items() if type_name == "boolean"}
    missing += [f"no {service} {operation} {word}" for word in options if word[:2] == "--" and word[2:] not in known]
print(json.dumps(missing))
