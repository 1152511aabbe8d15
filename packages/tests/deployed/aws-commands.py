"""Reads commands of AWS's command line as JSON, a list of parts each, and prints those that do not exist."""

import json
import sys

import botocore.session
from botocore import xform_name

# Commands that the command line puts together itself, by the operations behind them.
OWN = {("s3", "sync"), ("dynamodb", "wait")}
session = botocore.session.get_session()


def options_of(service, operation):
    """The options of a command; none if it does not exist."""
    try:
        model = session.get_service_model("s3" if service == "s3api" else service)
    except botocore.exceptions.UnknownServiceError:
        return None
    names = {xform_name(name, "-"): name for name in model.operation_names}
    if operation not in names:
        return None
    shape = model.operation_model(names[operation]).input_shape
    members = {xform_name(name, "-"): member.type_name for name, member in shape.members.items()} if shape else {}
    return set(members) | {f"no-{name}" for name, type_name in members.items() if type_name == "boolean"}


missing = []
for service, operation, *options in json.load(sys.stdin):
    if (service, operation) in OWN:
        continue
    known = options_of(service, operation)
    named = [option for option in options if option[:2] == "--"]
    if known is None:
        missing.append(f"no {service} {operation}")
    else:
        missing += [f"no {service} {operation} {option}" for option in named if option[2:] not in known]
print(json.dumps(missing))
