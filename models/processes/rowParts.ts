/**
 * Defines, for each kind of process, how its rows show whether money has moved, and how a cancellation changes the
 * rows. An entry is required for each kind whose contract says that money is known `by_rows` or that cancelling leaves
 * rows `changed`; the compiler checks this.
 */
import type { Contracts, InputOf, ProcessName } from '../../workflows/contracts/index.js';
import { tryCancelBulkApproval } from '../finances/payment-plans/approveNext.js';
import { cancelAttempt, recordCancellation } from '../finances/attempts/cancelAttempt.js';
import { type ChargeState, readAttemptCharges } from '../finances/attempts/chargeOfAttempt.js';
import { cancelPage, requestPageClosing } from '../finances/attempts/hostedPage.js';
import { cancelRefundRequest } from '../finances/refunds/followRequest.js';
import { cancelSettlement, readSettlementMovements } from '../finances/terminal-settlements/followSettlement.js';
import { cancelRefund, readRefundMovements } from '../finances/refunds/sendRefund.js';
import { readRefundOutcomes } from '../finances/captures/captureRefund.js';
import { cancelDuesRun, tryCancelDuesRun } from '../finances/dues-runs/cancelDuesRun.js';
import { readPledgeCharges } from '../foundation/pledges/readPledgeCharges.js';
import { cancelLedgerCheck } from '../finances/ledger-checks/endLedgerCheck.js';
import { cancelAnnualReceipts, tryCancelAnnualReceipts } from '../foundation/receipts/issueAnnualReceipts.js';
import { stopRound } from '../foundation/bulletins/moveBulletin.js';
import { cancelReceiptMail } from '../foundation/receipts/mailReceipt.js';
import { pauseCrossing } from '../intake/crossings/crossingSteps.js';
import { stopAccount } from '../intake/provisioning/account.js';
import { cancelRequestedLetter } from '../intake/reference-letters/followLetter.js';
import { stopTurn } from '../intake/recruitment-periods/settleTurn.js';
import { cancelFanout } from '../notifications/fanouts/fanOut.js';
import { cancelRollover, stopRollover } from '../organizations/rollovers/endRollover.js';
import { stopBulletin } from '../organizations/bulletins/publishEdition.js';
import { stopExport } from '../organizations/roster-exports/endExport.js';
import { tryCancelExport as stopInvoiceExport } from '../finances/invoice-exports/requestExport.js';
import { stopMigration } from '../organizations/storage-migrations/endMigration.js';
import { stopProvisioning } from '../organizations/storage-provisioning/provisioningSteps.js';
import { stopPost } from '../organizations/social-posts/publishPost.js';
import { requestStop, stopNow } from './bulk-actions/endBulkAction.js';
import { stopAlert } from '../platform/alerts/publishAlert.js';
import { readEventMovements } from '../finances/webhooks/readEventMovements.js';

export type MoneyMoved = ChargeState;

/** Required for a kind whose contract says that its rows tell whether money has moved (`by_rows`). */
interface MoneyPart<Input> {
  /**
   * Reports from the rows whether money has moved, for several processes of one tenant, in the order of their inputs.
   * Runs in that tenant.
   */
  moneyMoved(inputs: readonly Input[]): Promise<MoneyMoved[]>;
}

/** Required for a kind whose contract says that a cancellation changes its rows (`changed`). */
interface CancelPart<Input> {
  /**
   * Called before a running process is asked to end. Prepares the rows.
   * @returns whether the rows still allow the cancellation
   */
  beforeCancel(input: Input): Promise<boolean>;
  /**
   * Called when the process was never started. Changes the rows as a started and then cancelled process would have.
   * @returns whether the rows still allow the cancellation
   */
  insteadOfStart(input: Input): Promise<boolean>;
}

type WithMoney = { money: 'by_rows' };
type WithCancel = { cancel: { rows: 'changed' } };

/** Maps each kind of process to the parts that its contract requires. */
export type RowParts<Kinds, Inputs extends Record<keyof Kinds, unknown>> = {
  [Name in keyof Kinds as Kinds[Name] extends WithMoney | WithCancel ? Name : never]: (Kinds[Name] extends WithMoney
    ? MoneyPart<Inputs[Name]>
    : { moneyMoved?: never }) &
    (Kinds[Name] extends WithCancel ? CancelPart<Inputs[Name]> : { beforeCancel?: never; insteadOfStart?: never });
};

/** Builds the cancellation for kinds of processes that end by themselves once their row is cancelled. */
function cancelBy<Input>(stop: (input: Input) => Promise<void>): CancelPart<Input> {
  const cancel = async (input: Input): Promise<boolean> => {
    await stop(input);
    return true;
  };
  return { beforeCancel: cancel, insteadOfStart: cancel };
}

/**
 * Builds `moneyMoved` from a function that reads by id.
 * @param missing the result for a row that does not exist
 */
const moneyById =
  <Input>(
    idOf: (input: Input) => string,
    read: (ids: readonly string[]) => Promise<ReadonlyMap<string, MoneyMoved>>,
    missing: MoneyMoved,
  ): MoneyPart<Input>['moneyMoved'] =>
  async (inputs) => {
    const found = await read(inputs.map(idOf));
    return inputs.map((input) => found.get(idOf(input)) ?? missing);
  };

const moneyOfAttempt = moneyById(({ attemptId }: { attemptId: string }) => attemptId, readAttemptCharges, 'unknown');
const moneyOfResolution = moneyById(
  ({ resolutionId }: { resolutionId: string }) => resolutionId,
  readRefundOutcomes,
  'unknown',
);

const PARTS: RowParts<Contracts, { [Name in ProcessName]: InputOf<Name> }> = {
  payRemittance: {
    moneyMoved: moneyOfAttempt,
    beforeCancel: ({ attemptId }) => recordCancellation(attemptId),
    insteadOfStart: ({ attemptId }) => cancelAttempt(attemptId),
  },
  hostedPage: {
    moneyMoved: moneyOfAttempt,
    beforeCancel: ({ attemptId }) => requestPageClosing(attemptId, 'cancelled'),
    insteadOfStart: ({ attemptId }) => cancelPage(attemptId),
  },
  donationPage: {
    moneyMoved: moneyOfAttempt,
    beforeCancel: ({ attemptId }) => requestPageClosing(attemptId, 'cancelled'),
    insteadOfStart: ({ attemptId }) => cancelPage(attemptId),
  },
  terminalSettlement: {
    moneyMoved: moneyById(({ settlementId }) => settlementId, readSettlementMovements, 'no'),
    beforeCancel: ({ settlementId }) => cancelSettlement(settlementId),
    insteadOfStart: ({ settlementId }) => cancelSettlement(settlementId),
  },
  applyProcessorEvent: {
    moneyMoved: moneyById(({ webhookEventId }) => webhookEventId, readEventMovements, 'unknown'),
  },
  giveBackPayment: { moneyMoved: moneyOfResolution },
  donationRefund: { moneyMoved: moneyOfResolution },
  recurringPledge: { moneyMoved: readPledgeCharges },
  pledgeCharge: { moneyMoved: readPledgeCharges },
  refund: {
    moneyMoved: moneyById(({ refundId }) => refundId, readRefundMovements, 'no'),
    beforeCancel: ({ refundId }) => cancelRefund(refundId),
    insteadOfStart: ({ refundId }) => cancelRefund(refundId),
  },
  issueDues: {
    beforeCancel: async ({ duesRunId }) => {
      await tryCancelDuesRun(duesRunId);
      return true;
    },
    insteadOfStart: async ({ duesRunId }) => {
      await cancelDuesRun(duesRunId);
      return true;
    },
  },
  annualReceipts: {
    beforeCancel: async ({ runId }) => {
      await tryCancelAnnualReceipts(runId);
      return true;
    },
    insteadOfStart: async ({ runId }) => {
      await cancelAnnualReceipts(runId);
      return true;
    },
  },
  rollOver: {
    beforeCancel: async ({ rolloverId }) => {
      await stopRollover(rolloverId);
      return true;
    },
    insteadOfStart: async ({ rolloverId }) => {
      await cancelRollover(rolloverId);
      return true;
    },
  },
  publishBulletin: {
    beforeCancel: ({ bulletinId, edition }) => stopBulletin(bulletinId, edition),
    insteadOfStart: ({ bulletinId, edition }) => stopBulletin(bulletinId, edition),
  },
  publishSocialPost: {
    beforeCancel: ({ socialPostId }) => stopPost(socialPostId),
    insteadOfStart: ({ socialPostId }) => stopPost(socialPostId),
  },
  donationReceipt: cancelBy(({ receiptId }) => cancelReceiptMail(receiptId)),
  foundationBulletin: cancelBy(({ bulletinId, round }) => stopRound(bulletinId, Number(round))),
  cross: cancelBy(({ crossingId }) => pauseCrossing(crossingId)),
  refundRequest: cancelBy(({ requestId }) => cancelRefundRequest(requestId)),
  provisionAccount: cancelBy(({ recordId }) => stopAccount(recordId)),
  recruitmentTurn: cancelBy(({ periodId, turn }) => stopTurn(periodId, Number(turn))),
  referenceLetter: cancelBy(({ letterId }) => cancelRequestedLetter(letterId)),
  planBulkApproval: cancelBy(({ approvalId }) => tryCancelBulkApproval(approvalId)),
  ledgerCheck: cancelBy(({ checkId }) => cancelLedgerCheck(checkId)),
  bulkAction: {
    beforeCancel: async ({ bulkActionId }) => {
      await requestStop(bulkActionId);
      return true;
    },
    insteadOfStart: async ({ bulkActionId }) => {
      await stopNow(bulkActionId);
      return true;
    },
  },
  exportInvoices: cancelBy(({ exportId }) => stopInvoiceExport(exportId)),
  exportRoster: cancelBy(({ exportId }) => stopExport(exportId)),
  storageMigration: cancelBy(({ migrationId }) => stopMigration(migrationId)),
  storageProvisioning: cancelBy(({ provisioningId }) => stopProvisioning(provisioningId)),
  platformAlert: cancelBy(({ alertId }) => stopAlert(alertId)),
  notificationFanout: cancelBy(({ fanoutId }) => cancelFanout(fanoutId)),
};

/** Input of a process, read from its workflow history or from its outbox row. */
export type ProcessInput = Record<string, unknown>;

/** Returns the entry of a kind of process; null for a kind that needs none. */
export const rowPartOf = (name: string): Partial<MoneyPart<ProcessInput> & CancelPart<ProcessInput>> | null =>
  (PARTS as Record<string, object>)[name] ?? null;
