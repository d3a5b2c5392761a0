"""Pays a remittance with the client that openapi-generator made of the description."""
import importlib
import os
import pkgutil
from datetime import datetime
from uuid import UUID

import membership_client
from membership_client import (
    ApiClient,
    AuthApi,
    Configuration,
    FinancesApi,
    Login,
    RemittanceAllocationInput,
    RemittanceCreate,
    RemittancePay,
)

# Every module of it can be loaded, not only those that are used here.
for module in pkgutil.walk_packages(membership_client.__path__, "membership_client."):
    importlib.import_module(module.name)

configuration = Configuration(host=os.environ["BASE_URL"])
auth = AuthApi(ApiClient(configuration))
login = Login(email=os.environ["EMAIL"], password=os.environ["PASSWORD"])
configuration.access_token = auth.log_in(login, x_client="native").access_token

finances = FinancesApi(ApiClient(configuration))
chapter = UUID(os.environ["CHAPTER"])
invoices = finances.list_chapter_invoices(id=chapter, status="open", payer_type="member", page_size=2)
draft = finances.create_remittance(
    RemittanceCreate(
        chapter=chapter,
        allocations=[RemittanceAllocationInput(invoice=invoice.id, amount_cents=100) for invoice in invoices.results],
    )
)
assert isinstance(draft.created_at, datetime), draft.created_at
paid = finances.pay_remittance(id=draft.id, remittance_pay=RemittancePay(payment_method="pm_card_visa"))
assert paid.status == "settled", paid.status
print(f"openapi-generator (Python): remittance {paid.id} is {paid.status}.")
