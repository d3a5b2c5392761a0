import { loadIfExists } from '../../models/database/model/read.js';
import { readPayerOfRow } from '../../models/finances/accounts/payerOfRow.js';
import { ProcessorCapture } from '../../models/finances/captures/ProcessorCapture.js';
import { MoneyCase } from '../../models/finances/cases/MoneyCase.js';
import { PaymentDispute } from '../../models/finances/disputes/PaymentDispute.js';
import { DuesRun } from '../../models/finances/dues-runs/DuesRun.js';
import { readPlanRequest } from '../../models/finances/payment-plans/listPlanRequests.js';
import { LedgerCheck } from '../../models/finances/ledger-checks/LedgerCheck.js';
import { Reconciliation } from '../../models/finances/reconciliation/Reconciliation.js';
import { RefundRequest } from '../../models/finances/refunds/RefundRequest.js';
import { ChapterRemittance } from '../../models/finances/remittances/ChapterRemittance.js';
import { may } from '../http/policy.js';
import { defineReaders, readerOf, rowOf } from '../http/readers.js';
import { creditPolicy } from './credit/routes.js';
import { disputePolicy } from './disputes/routes.js';
import { duesRunPolicy } from './dues-runs/routes.js';
import { invoicePolicy } from './invoices/policy.js';
import { ledgerCheckPolicy } from './ledger-checks/routes.js';
import { moneyCasePolicy } from './money-cases/routes.js';
import { paymentPlanPolicy } from './payment-plans/routes.js';
import { planRequestPolicy } from './plan-requests/policy.js';
import { mayRead } from './plan-requests/planRequestAccess.js';
import { reconciliationPolicy } from './reconciliation/routes.js';
import { refundRequestPolicy } from './refund-requests/routes.js';
import { remittancePolicy } from './remittances/routes.js';
import { unmatchedPaymentPolicy } from './unmatched-payments/routes.js';

const ofPayer = (kind: Parameters<typeof readPayerOfRow>[0]) => (id: string) => readPayerOfRow(kind, id);

defineReaders({
  invoice: readerOf(invoicePolicy, 'read', ofPayer('invoice')),
  payment: readerOf(invoicePolicy, 'read', ofPayer('payment')),
  payment_reminder: readerOf(invoicePolicy, 'read', ofPayer('payment_reminder')),
  payment_plan: readerOf(paymentPlanPolicy, 'read', ofPayer('payment_plan')),
  plan_request: async (actor, id) => {
    const row = await readPlanRequest(id);
    return (
      row !== null && (may(actor, planRequestPolicy, 'review', { chapter_id: row.chapter }) || mayRead(actor, row))
    );
  },
  refund_request: readerOf(refundRequestPolicy, 'read', async (id) => {
    const row = await loadIfExists(RefundRequest, id);
    return row && { user_id: row.requested_by };
  }),
  remittance: readerOf(remittancePolicy, 'read', rowOf(ChapterRemittance)),
  capture: readerOf(unmatchedPaymentPolicy, 'read', rowOf(ProcessorCapture)),
  money_case: readerOf(moneyCasePolicy, 'read', rowOf(MoneyCase)),
  dispute: readerOf(disputePolicy, 'read', rowOf(PaymentDispute)),
  reconciliation: readerOf(reconciliationPolicy, 'read', rowOf(Reconciliation)),
  ledger_check: readerOf(ledgerCheckPolicy, 'read', rowOf(LedgerCheck)),
  dues_run: readerOf(duesRunPolicy, 'read', rowOf(DuesRun)),
  credit: readerOf(creditPolicy, 'explain', ofPayer('credit')),
  terminal_settlement: readerOf(creditPolicy, 'read', ofPayer('terminal_settlement')),
});
