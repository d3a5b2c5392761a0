/** What processes mean to rows, a line a kind: demanded by the compiler of each whose entry says `by_rows` or `changed`. */
import type { Entries, InputOf, ProcessName } from '../../workflows/contracts/index.js';
import { stopBulkApproval } from '../finances/payment-plans/grantNext.js';
import { cancelAttempt, noteCancellation } from '../finances/attempts/cancelAttempt.js';
import { chargeOfAttempt } from '../finances/attempts/chargeOfAttempt.js';
import { cancelPage, closePage } from '../finances/attempts/hostedPage.js';
import { callRequestOff } from '../finances/refunds/followRequest.js';
import { callSettlementOff, settlementMoved } from '../finances/terminal-settlements/followSettlement.js';
import { callRefundOff, refundMoved } from '../finances/refunds/sendRefund.js';
import { givenBack } from '../finances/captures/givingBack.js';
import { cancelDuesRun, stopDuesRun } from '../finances/dues-runs/cancelDuesRun.js';
import { pauseCrossing } from '../intake/crossings/carry.js';
import { stopAccount } from '../intake/provisioning/account.js';
import { callLetterOff } from '../intake/reference-letters/followLetter.js';
import { stopTurn } from '../intake/recruitment-periods/settleTurn.js';
import { stopFanout } from '../notifications/fanouts/fanOut.js';
import { cancelRollover, stopRollover } from '../organizations/rollovers/endRollover.js';
import { stopBulletin } from '../organizations/bulletins/tellBulletin.js';
import { stopExport } from '../organizations/roster-exports/endExport.js';
import { stopExport as stopInvoiceExport } from '../finances/invoice-exports/requestExport.js';
import { stopMigration } from '../organizations/storage-migrations/endMigration.js';
import { stopProvisioning } from '../organizations/storage-provisioning/carryOut.js';
import { stopPost } from '../organizations/social-posts/publishPost.js';
import { stopAlert } from '../platform/alerts/tellOrganizations.js';
import { eventReportsMoney } from '../finances/webhooks/eventReportsMoney.js';

export type MoneyMoved = 'yes' | 'no' | 'unknown';

/** Of a kind whose entry says that money moves `by_rows`. */
interface MoneyPart<Input> {
  /** Whether money has moved, as the rows say. Runs in the tenant of the process, where it has one. */
  moneyMoved(input: Input): Promise<MoneyMoved>;
}

/** Of a kind whose cancellation leaves its rows `changed`. */
interface CancelPart<Input> {
  /** Before a running process is asked to end. @returns whether it still may, by its rows */
  beforeCancel(input: Input): Promise<boolean>;
  /** Ends what a process would have ended by itself, had it been started. @returns as above */
  insteadOfStart(input: Input): Promise<boolean>;
}

type WithMoney = { money: 'by_rows' };
type WithCancel = { cancel: { rows: 'changed' } };

/** The kinds that have a part, and which one. */
export type RowParts<Kinds, Inputs extends Record<keyof Kinds, unknown>> = {
  [Name in keyof Kinds as Kinds[Name] extends WithMoney | WithCancel ? Name : never]: (Kinds[Name] extends WithMoney
    ? MoneyPart<Inputs[Name]>
    : { moneyMoved?: never }) &
    (Kinds[Name] extends WithCancel ? CancelPart<Inputs[Name]> : { beforeCancel?: never; insteadOfStart?: never });
};

/** Of a kind whose row says that it is over, whether its process runs or not. */
function calledOff<Input>(stop: (input: Input) => Promise<void>): CancelPart<Input> {
  const off = async (input: Input): Promise<boolean> => {
    await stop(input);
    return true;
  };
  return { beforeCancel: off, insteadOfStart: off };
}

const PARTS: RowParts<Entries, { [Name in ProcessName]: InputOf<Name> }> = {
  payRemittance: {
    moneyMoved: ({ attemptId }) => chargeOfAttempt(attemptId),
    beforeCancel: ({ attemptId }) => noteCancellation(attemptId),
    insteadOfStart: ({ attemptId }) => cancelAttempt(attemptId),
  },
  hostedPage: {
    moneyMoved: ({ attemptId }) => chargeOfAttempt(attemptId),
    beforeCancel: ({ attemptId }) => closePage(attemptId, 'cancelled'),
    insteadOfStart: ({ attemptId }) => cancelPage(attemptId),
  },
  terminalSettlement: {
    moneyMoved: ({ settlementId }) => settlementMoved(settlementId),
    beforeCancel: ({ settlementId }) => callSettlementOff(settlementId),
    insteadOfStart: ({ settlementId }) => callSettlementOff(settlementId),
  },
  applyProcessorEvent: { moneyMoved: ({ webhookEventId }) => eventReportsMoney(webhookEventId) },
  giveBackPayment: { moneyMoved: ({ resolutionId }) => givenBack(resolutionId) },
  refund: {
    moneyMoved: ({ refundId }) => refundMoved(refundId),
    beforeCancel: ({ refundId }) => callRefundOff(refundId),
    insteadOfStart: ({ refundId }) => callRefundOff(refundId),
  },
  issueDues: {
    beforeCancel: async ({ duesRunId }) => {
      await stopDuesRun(duesRunId);
      return true;
    },
    insteadOfStart: async ({ duesRunId }) => {
      await cancelDuesRun(duesRunId);
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
  cross: calledOff(({ crossingId }) => pauseCrossing(crossingId)),
  refundRequest: calledOff(({ requestId }) => callRequestOff(requestId)),
  provisionAccount: calledOff(({ recordId }) => stopAccount(recordId)),
  recruitmentTurn: calledOff(({ periodId, turn }) => stopTurn(periodId, Number(turn))),
  referenceLetter: calledOff(({ letterId }) => callLetterOff(letterId)),
  planBulkApproval: calledOff(({ approvalId }) => stopBulkApproval(approvalId)),
  exportInvoices: calledOff(({ exportId }) => stopInvoiceExport(exportId)),
  exportRoster: calledOff(({ exportId }) => stopExport(exportId)),
  storageMigration: calledOff(({ migrationId }) => stopMigration(migrationId)),
  storageProvisioning: calledOff(({ provisioningId }) => stopProvisioning(provisioningId)),
  platformAlert: calledOff(({ alertId }) => stopAlert(alertId)),
  notificationFanout: calledOff(({ fanoutId }) => stopFanout(fanoutId)),
};

/** What a process was told, as its history or its intent has it. */
export type GivenInput = Record<string, unknown>;

/** The part of a kind; null where its rows say nothing and stay as they are. */
export const rowPartOf = (name: string): Partial<MoneyPart<GivenInput> & CancelPart<GivenInput>> | null =>
  (PARTS as Record<string, object>)[name] ?? null;
