/** All activities, by the names under which workflows call them. */
import '../models/wireAreas.js';
import * as applyProcessorEvent from './finances/applyProcessorEvent.js';
import * as hostedPage from './finances/hostedPage.js';
import * as giveBackPayment from './finances/refundUnmatchedPayment.js';
import * as refund from './finances/refund.js';
import * as planBulkApproval from './finances/planBulkApproval.js';
import * as planFreeze from './finances/planFreeze.js';
import * as refundRequest from './finances/refundRequest.js';
import * as terminalSettlement from './finances/terminalSettlement.js';
import * as issueDues from './finances/issueDues.js';
import * as drawDocument from './finances/drawDocument.js';
import * as invoiceExports from './finances/invoiceExports.js';
import * as ledgerChecks from './finances/ledgerChecks.js';
import * as overdue from './finances/overdue.js';
import * as reconciliation from './finances/reconciliation.js';
import * as reminders from './finances/reminders.js';
import * as payRemittance from './finances/payRemittance.js';
import * as annualReceipts from './foundation/annualReceipts.js';
import * as campaigns from './foundation/campaigns.js';
import * as mailReceipt from './foundation/mailReceipt.js';
import * as sendBulletin from './foundation/sendBulletin.js';
import * as pledgeNotices from './foundation/pledgeNotices.js';
import * as pledges from './foundation/pledges.js';
import * as accounts from './intake/accounts.js';
import * as crossings from './intake/crossings.js';
import * as recruitmentPeriods from './intake/recruitmentPeriods.js';
import * as referenceLetters from './intake/referenceLetters.js';
import * as settleApplication from './intake/settleApplication.js';
import * as accountNotices from './identity/accountNotices.js';
import * as deletion from './identity/deletion.js';
import * as samlConnections from './identity/samlConnections.js';
import * as notifications from './notifications/deliver.js';
import * as digests from './notifications/digests.js';
import * as fanOut from './notifications/fanOut.js';
import * as forumWithdrawal from './forums/forumWithdrawal.js';
import * as imports from './organizations/imports.js';
import * as membershipChanges from './organizations/membershipChanges.js';
import * as removeFiles from './organizations/removeFiles.js';
import * as rosterExports from './organizations/rosterExports.js';
import * as scanFiles from './organizations/scanFiles.js';
import * as storageMigrations from './organizations/storageMigrations.js';
import * as storageProvisioning from './organizations/storageProvisioning.js';
import * as rollovers from './organizations/rollovers.js';
import * as platformAlerts from './platform/alerts.js';
import * as bulkActions from './processes/bulkAction.js';
import * as pushPrune from './notifications/pushPrune.js';
import * as bulletins from './organizations/publishBulletin.js';
import * as socialPosts from './organizations/publishSocialPost.js';
import * as processIncidents from './processIncidents.js';
import * as recovery from './recoverProcesses.js';

export const activities = {
  ...accounts,
  ...annualReceipts,
  ...applyProcessorEvent,
  ...bulkActions,
  ...bulletins,
  ...campaigns,
  ...crossings,
  ...hostedPage,
  ...giveBackPayment,
  ...refund,
  ...planBulkApproval,
  ...planFreeze,
  ...refundRequest,
  ...terminalSettlement,
  ...imports,
  ...issueDues,
  ...drawDocument,
  ...mailReceipt,
  ...sendBulletin,
  ...invoiceExports,
  ...ledgerChecks,
  ...overdue,
  ...reconciliation,
  ...reminders,
  ...payRemittance,
  ...pledgeNotices,
  ...pledges,
  ...storageMigrations,
  ...storageProvisioning,
  ...accountNotices,
  ...deletion,
  ...notifications,
  ...pushPrune,
  ...digests,
  ...fanOut,
  ...forumWithdrawal,
  ...membershipChanges,
  ...platformAlerts,
  ...processIncidents,
  ...recovery,
  ...recruitmentPeriods,
  ...referenceLetters,
  ...settleApplication,
  ...removeFiles,
  ...rosterExports,
  ...rollovers,
  ...samlConnections,
  ...scanFiles,
  ...socialPosts,
};
