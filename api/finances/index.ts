import './readers.js';
import './reviewRules.js';
import type { Route } from '../http/routes.js';
import { billingOverrideRoutes } from './billing-overrides/routes.js';
import { creditExplainRoutes } from './credit/explainRoutes.js';
import { creditRefundRoutes } from './credit/refundRoutes.js';
import { creditRoutes } from './credit/routes.js';
import { disputeRoutes } from './disputes/routes.js';
import { duesRateRoutes } from './dues-rates/routes.js';
import { duesRunRoutes } from './dues-runs/routes.js';
import { duesSettingsRoutes } from './dues-settings/routes.js';
import { goodStandingRoutes, publicGoodStandingRoutes } from './good-standing/routes.js';
import { invoicePaymentRoutes } from './invoice-payments/routes.js';
import { adjustmentRoutes } from './invoices/adjustmentRoutes.js';
import { invoiceReceiptRoutes } from './invoices/receiptRoutes.js';
import { invoiceExportRoutes } from './invoice-exports/routes.js';
import { remindRoutes } from './invoices/remindRoutes.js';
import { statementRoutes } from './statement/routes.js';
import { invoiceExplainRoutes } from './invoices/explainRoutes.js';
import { invoiceRefundRoutes } from './invoices/refundRoutes.js';
import { invoiceRegenerateRoutes } from './invoices/regenerateRoutes.js';
import { invoiceRoutes } from './invoices/routes.js';
import { ledgerCheckRoutes } from './ledger-checks/routes.js';
import { chapterLedgerRoutes } from './ledger/routes.js';
import { ownBillingRoutes } from './me/routes.js';
import { moneyCaseRoutes } from './money-cases/routes.js';
import { ownPaymentPlanRoutes, paymentPlanRoutes } from './payment-plans/routes.js';
import { processorRoutes } from './payment-processors/routes.js';
import { officerPlanRequestRoutes, ownPlanRequestRoutes } from './plan-requests/requesterRoutes.js';
import { bulkApprovalRoutes } from './plan-requests/bulkRoutes.js';
import { planRequestRoutes } from './plan-requests/routes.js';
import { reconciliationRoutes } from './reconciliation/routes.js';
import { refundRequestRoutes } from './refund-requests/routes.js';
import { refundRoutes } from './refunds/routes.js';
import { reminderRoutes } from './reminders/routes.js';
import { duesReportRoutes } from './reports/routes.js';
import { remittanceRepairRoutes } from './remittances/repairRoutes.js';
import { remittanceRoutes } from './remittances/routes.js';
import { collectionRosterRoutes } from './roster/routes.js';
import { unmatchedPaymentRoutes } from './unmatched-payments/routes.js';
import { webhookRoutes } from './webhooks/routes.js';

export const financesRoutes: Route[] = [
  ...duesSettingsRoutes,
  ...duesRateRoutes,
  ...billingOverrideRoutes,
  ...duesRunRoutes,
  ...invoiceRoutes,
  ...adjustmentRoutes,
  ...remindRoutes,
  ...invoiceExportRoutes,
  ...invoiceReceiptRoutes,
  ...statementRoutes,
  ...reminderRoutes,
  ...invoiceExplainRoutes,
  ...invoiceRegenerateRoutes,
  ...invoiceRefundRoutes,
  ...refundRoutes,
  ...refundRequestRoutes,
  ...ownBillingRoutes,
  ...chapterLedgerRoutes,
  ...ledgerCheckRoutes,
  ...collectionRosterRoutes,
  ...goodStandingRoutes,
  ...publicGoodStandingRoutes,
  ...creditRoutes,
  ...creditExplainRoutes,
  ...creditRefundRoutes,
  ...processorRoutes,
  ...remittanceRoutes,
  ...remittanceRepairRoutes,
  ...invoicePaymentRoutes,
  ...unmatchedPaymentRoutes,
  ...moneyCaseRoutes,
  ...reconciliationRoutes,
  ...duesReportRoutes,
  ...bulkApprovalRoutes,
  ...planRequestRoutes,
  ...officerPlanRequestRoutes,
  ...ownPlanRequestRoutes,
  ...paymentPlanRoutes,
  ...ownPaymentPlanRoutes,
  ...disputeRoutes,
  ...webhookRoutes,
];
