"""Calls every read that needs at most an organization's id, and fails on an answer that the client does not understand."""
import json
import os
import re
import sys
from uuid import UUID

import membership_client
from membership_client import ApiClient, ApiException, AuthApi, Configuration, Login

ORGANIZATION = UUID(os.environ["ORGANIZATION"])
# Arguments that a read needs although its description lets them be left out.
ARGUMENTS = {
    "discoverSso": {"domain": "university.edu"},
    "searchAdmins": {"q": "a"},
    "searchMembers": {"q": "a"},
}
# Reads that answer 404 here: nobody has asked for a deletion or has an account at a provider, and no app is configured.
REFUSED = {
    "getAccountDeletion",
    "getAppleAppSiteAssociation",
    "getAssetLinks",
    "getOwnProvisionedAccount",
    "getRelatedOrigins",
}


def client_of(email):
    """Signs in, as a native client does. Names the organization, since platform admins belong to none."""
    configuration = Configuration(host=os.environ["BASE_URL"])
    login = Login(email=email, password=os.environ["PASSWORD"])
    configuration.access_token = AuthApi(ApiClient(configuration)).log_in(login, x_client="native").access_token
    client = ApiClient(configuration)
    if email == os.environ["PLATFORM_ADMIN"]:
        client.set_default_header("X-Organization-Id", str(ORGANIZATION))
    return client


def operations():
    """Yields operation id and arguments of each read that needs at most an organization's id."""
    with open(os.environ["DESCRIPTION"], encoding="utf-8") as file:
        paths = json.load(file)["paths"]
    for operation in (item["get"] for item in paths.values() if "get" in item):
        needed = {one["name"] for one in operation.get("parameters", []) if one.get("required")}
        if needed <= {"organization_id"} and "200" in operation["responses"]:
            operation_id = operation["operationId"]
            yield operation_id, {name: ORGANIZATION for name in needed} | ARGUMENTS.get(operation_id, {})


def method_of(client, operation_id):
    """Finds the method of an operation, whichever class its tag has put it in."""
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", operation_id).lower() + "_with_http_info"
    apis = [value for key, value in vars(membership_client).items() if key.endswith("Api")]
    return next(getattr(api(client), name) for api in apis if hasattr(api, name))


def ask(client, operation_id, arguments):
    """Returns the status. Raises an exception for an answer that the client does not understand."""
    try:
        answer = method_of(client, operation_id)(**arguments)
    except ApiException as refused:
        if refused.status >= 500 or refused.data is None:
            raise
        return refused.status
    assert answer.data is not None, "The answer has no data."
    if answer.headers.get("content-type") == "application/pdf":
        assert bytes(answer.data).startswith(b"%PDF"), answer.data[:20]
    return answer.status_code


clients = [client_of(email) for email in os.environ["PEOPLE"].split()]
wrong, refused, count = [], set(), 0
for operation_id, arguments in operations():
    count += 1
    statuses = []
    for client in clients:
        try:
            statuses.append(ask(client, operation_id, arguments))
        except Exception as error:  # pylint: disable=broad-exception-caught
            wrong.append(f"{operation_id}: {type(error).__name__}: {str(error)[:500]}")
    if statuses and not any(status < 300 for status in statuses):
        refused.add(operation_id)
wrong += [f"{name}: nobody may read it." for name in sorted(refused - REFUSED)]
if count < 50:
    wrong.append(f"The description has only {count} reads that need at most an organization's id.")
if wrong:
    sys.exit("\n".join(wrong))
print(f"openapi-generator (Python): {count} reads are understood, {len(refused)} of them by their refusal.")
