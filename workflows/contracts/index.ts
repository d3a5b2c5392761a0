/** Registry of all process contracts by name, for the outbox, operators, docs and tests. */
import { annualReceipts, annualReceiptsEverywhere } from './annualReceipts.js';
import { applyProcessorEvent } from './applyProcessorEvent.js';
import { bulkAction } from './bulkAction.js';
import { checkProcessIncidents } from './checkProcessIncidents.js';
import { checkSamlConnections } from './checkSamlConnections.js';
import { closeEndedCampaigns } from './closeEndedCampaigns.js';
import { cross } from './cross.js';
import { deleteAccount } from './deleteAccount.js';
import { donationReceipt } from './donationReceipt.js';
import { donationPage } from './donationPage.js';
import { donationRefund } from './donationRefund.js';
import { drawDocument } from './drawDocument.js';
import { exportInvoices } from './exportInvoices.js';
import { exportRoster } from './exportRoster.js';
import { forumWithdrawal } from './forumWithdrawal.js';
import { foundationBulletin } from './foundationBulletin.js';
import { giveBackPayment } from './refundUnmatchedPayment.js';
import { hostedPage } from './hostedPage.js';
import { importStep } from './importStep.js';
import { issueDues } from './issueDues.js';
import { invoiceReminders, invoiceRemindersEverywhere } from './invoiceReminders.js';
import { checkLedgersEverywhere, ledgerCheck } from './ledgerCheck.js';
import { markOverdue, markOverdueEverywhere } from './markOverdue.js';
import { membershipChanges, membershipChangesEverywhere } from './membershipChanges.js';
import { notificationDelivery } from './notificationDelivery.js';
import { notificationDigests, notificationDigestsEverywhere } from './notificationDigests.js';
import { notificationFanout } from './notificationFanout.js';
import { notificationRedispatch } from './notificationRedispatch.js';
import { payRemittance } from './payRemittance.js';
import { platformAlert } from './platformAlert.js';
import type { ProcessContract, ProcessFacts, ScheduledProcess } from './process.js';
import { provisionAccount } from './provisionAccount.js';
import { publishBulletin } from './publishBulletin.js';
import { publishSocialPost } from './publishSocialPost.js';
import { pushPrune } from './pushPrune.js';
import { reconcileEverywhere, reconciliation } from './reconciliation.js';
import { recruitmentTurn } from './recruitmentTurn.js';
import { recoverProcesses } from './recoverProcesses.js';
import { recurringPledge } from './recurringPledge.js';
import { referenceLetter } from './referenceLetter.js';
import { refund } from './refund.js';
import { pledgeCharge } from './pledgeCharge.js';
import { planBulkApproval } from './planBulkApproval.js';
import { planFreeze } from './planFreeze.js';
import { refundRequest } from './refundRequest.js';
import { removeFiles } from './removeFiles.js';
import { revertRollover } from './revertRollover.js';
import { rollOver } from './rollOver.js';
import { scanFile } from './scanFile.js';
import { sendAccountNotice } from './sendAccountNotice.js';
import { settleApplication } from './settleApplication.js';
import { storageMigration } from './storageMigration.js';
import { storageProvisioning } from './storageProvisioning.js';
import { terminalSettlement } from './terminalSettlement.js';

export type { ProcessContract, ProcessFacts, TaskQueue } from './process.js';
export {
  annualReceipts,
  applyProcessorEvent,
  bulkAction,
  cross,
  deleteAccount,
  donationReceipt,
  donationPage,
  donationRefund,
  drawDocument,
  exportInvoices,
  exportRoster,
  forumWithdrawal,
  foundationBulletin,
  giveBackPayment,
  hostedPage,
  issueDues,
  invoiceReminders,
  ledgerCheck,
  markOverdue,
  notificationDelivery,
  notificationFanout,
  payRemittance,
  platformAlert,
  pledgeCharge,
  provisionAccount,
  publishBulletin,
  publishSocialPost,
  recruitmentTurn,
  recurringPledge,
  refund,
  planBulkApproval,
  planFreeze,
  refundRequest,
  revertRollover,
  rollOver,
  scanFile,
  sendAccountNotice,
  settleApplication,
  storageMigration,
  storageProvisioning,
  terminalSettlement,
};

export const TASK_QUEUES = ['core', 'payments', 'notify', 'bulk'] as const;

/** Checks that each contract is registered under its own name. */
const checkNames = <Entries extends { [Name in keyof Entries]: { name: Name } }>(entries: Entries): Entries => entries;

const INTENT_CONTRACTS = checkNames({
  payRemittance,
  hostedPage,
  applyProcessorEvent,
  importStep,
  issueDues,
  invoiceReminders,
  ledgerCheck,
  markOverdue,
  membershipChanges,
  reconciliation,
  rollOver,
  revertRollover,
  annualReceipts,
  donationReceipt,
  donationPage,
  donationRefund,
  forumWithdrawal,
  foundationBulletin,
  recurringPledge,
  pledgeCharge,
  drawDocument,
  exportInvoices,
  exportRoster,
  scanFile,
  sendAccountNotice,
  deleteAccount,
  giveBackPayment,
  refund,
  planBulkApproval,
  bulkAction,
  planFreeze,
  refundRequest,
  terminalSettlement,
  cross,
  notificationDelivery,
  notificationDigests,
  notificationFanout,
  platformAlert,
  provisionAccount,
  publishBulletin,
  publishSocialPost,
  recruitmentTurn,
  referenceLetter,
  settleApplication,
  storageMigration,
  storageProvisioning,
});

const SCHEDULE_CONTRACTS = checkNames({
  markOverdueEverywhere,
  invoiceRemindersEverywhere,
  membershipChangesEverywhere,
  recoverProcesses,
  checkProcessIncidents,
  checkSamlConnections,
  closeEndedCampaigns,
  annualReceiptsEverywhere,
  reconcileEverywhere,
  checkLedgersEverywhere,
  notificationRedispatch,
  pushPrune,
  notificationDigestsEverywhere,
  removeFiles,
});

/** All contracts by name. */
export type Contracts = typeof INTENT_CONTRACTS & typeof SCHEDULE_CONTRACTS;
export type ProcessName = keyof Contracts;

/** Input of a contract's workflow. A scheduled workflow receives the cursor of an earlier run, if there was one. */
export type InputOf<Name extends ProcessName> = Contracts[Name] extends { workflowId(input: infer Input): string }
  ? Input
  : string | null | undefined;

/** Outcomes of a contract's workflow. */
export type EndOf<Name extends ProcessName> = keyof Contracts[Name]['ends'] & string;

/** Workflows that the contracts require; a workflow without a contract gets type `never`. */
type RequiredWorkflows<Names> = { [Name in ProcessName]: (input: InputOf<Name>) => Promise<EndOf<Name>> } & {
  [Unregistered in Exclude<Names, ProcessName> & PropertyKey]: never;
};
/** Accepts the workflows only if they match the contracts. */
export type MatchingWorkflows<Workflows extends RequiredWorkflows<keyof Workflows>> = Workflows;

/** Contracts of processes that the outbox or another process starts. */
export const PROCESSES: readonly ProcessContract[] = Object.values(INTENT_CONTRACTS);

/** Contracts of processes that a Schedule starts. */
export const SCHEDULED: readonly ScheduledProcess[] = Object.values(SCHEDULE_CONTRACTS);

/** Facts of every kind of process, for operators. */
export const PROCESS_KINDS: readonly ProcessFacts[] = [...PROCESSES, ...SCHEDULED];

const contracts = new Map(PROCESSES.map((contract) => [contract.name, contract]));
const facts = new Map(PROCESS_KINDS.map((kind) => [kind.name, kind]));

/**
 * Returns the contract of a workflow type.
 * @throws Error for a name without a contract
 */
export function processByName(name: string): ProcessContract {
  const contract = contracts.get(name);
  if (!contract) throw new Error(`There is no process ${name}.`);
  return contract;
}

/** Returns the facts of a workflow type; undefined for an unknown type. */
export const factsByName = (name: string): ProcessFacts | undefined => facts.get(name);

const kindFacts = new Map(PROCESS_KINDS.map((kind) => [kind.kind, kind]));

/** Returns the facts of a kind; undefined for an unknown kind. */
export const factsByKind = (kind: string): ProcessFacts | undefined => kindFacts.get(kind);

const prefixOf = (workflowId: string): string => workflowId.slice(0, workflowId.indexOf('/'));
const factsByPrefix = new Map(
  PROCESSES.map((contract) => [
    prefixOf(contract.workflowId({ ...contract.example(() => 'id'), organizationId: 'id' })),
    contract,
  ]),
);

/**
 * Returns the facts of the kind whose workflow ids begin as this one does, without a request to Temporal; undefined for
 * an unknown kind and for a process that a Schedule starts.
 */
export const factsByWorkflowId = (workflowId: string): ProcessFacts | undefined =>
  factsByPrefix.get(prefixOf(workflowId));

/** Reports whether a Schedule starts the process. */
export const isScheduled = ({ name }: ProcessFacts): boolean => Object.hasOwn(SCHEDULE_CONTRACTS, name);

/** Returns the type of the row that is the subject of a process; undefined if it has none. */
export const subjectTypeOf = (name: string): string | undefined => contracts.get(name)?.subject.type;
