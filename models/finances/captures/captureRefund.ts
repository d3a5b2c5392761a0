/** Loads the refund of an unmatched payment for its workflow, and records its outcome. */
import { audit } from '../../database/audit.js';
import { type Change, changeRow, now } from '../../database/model/change.js';
import { readRow } from '../../database/model/read.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import type { ChargeState } from '../attempts/chargeOfAttempt.js';
import { openAccess, type ProcessorAccess } from '../attempts/processorAccess.js';
import { notifications } from '../notifications.js';
import { notifyOtherAdmins } from '../payment-processors/notifyOtherAdmins.js';
import { CaptureResolution } from './CaptureResolution.js';
import { CAPTURE_VERSION_SQL, lockCapture } from './setRefundedTotal.js';
import { refundCapture, type RefundsRead } from './refundCapture.js';

export interface CaptureRefund {
  id: string;
  captureId: string;
  processorId: string;
  intentId: string;
  /**
   * Amount to refund: all that remained of the charge when the refund was requested, or the part of a remittance's
   * charge that no invoice can take.
   */
  amountCents: number;
  isAll: boolean;
  /** Version of the capture, read before the provider is asked, to notice changes in the meantime. */
  version: string;
  status: CaptureResolution['status'];
  access: ProcessorAccess;
}

/** The fields of a refund that are needed to end it. */
export type EndingRefund = Pick<CaptureRefund, 'id' | 'captureId' | 'processorId' | 'intentId' | 'amountCents'>;

interface Row extends Omit<CaptureRefund, 'access'> {
  provider: string;
  secret: string;
}

/**
 * Loads a refund with the access to its processor.
 * @throws RowMissing when this tenant has no such refund
 */
export async function loadCaptureRefund(resolutionId: string): Promise<CaptureRefund> {
  const row = await firstRow<Row>(
    `SELECT r.id, c.id AS "captureId", c.processor_id AS "processorId", c.intent_id AS "intentId", r.amount_cents AS "amountCents",
            r.amount_cents >= c.amount_cents - c.refunded_cents AS "isAll",
            ${CAPTURE_VERSION_SQL} AS version, r.status, p.provider, p.secret_key_encrypted AS secret
       FROM capture_resolutions r
       JOIN processor_captures c ON c.organization_id = r.organization_id AND c.id = r.capture_id
       JOIN org_payment_processors p ON p.organization_id = c.organization_id AND p.id = c.processor_id
      WHERE r.id = $1 AND r.resolution = 'refund'`,
    [resolutionId],
  );
  if (!row) throw new RowMissing('There is no such refund.');
  const { provider, secret, ...refund } = row;
  return { ...refund, access: openAccess(row.processorId, provider, secret) };
}

/**
 * Records that the refund succeeded, once. The webhook event of this refund may be processed before or after.
 * @param read the charge's refunds as the provider has just reported them
 * @throws RefundsChanged
 */
export async function recordRefundSucceeded(
  refund: EndingRefund,
  gatewayRefundId: string,
  read: RefundsRead,
): Promise<void> {
  await lockRefundedCapture(refund);
  const ended = await endRefund(refund, { status: 'done', gateway_refund_id: gatewayRefundId });
  await refundCapture(refund.processorId, refund.intentId, read);
  if (ended) await auditRefund(refund, 'capture.refunded', { refund: gatewayRefundId });
}

/**
 * Records that the refund failed: the payment awaits a decision again, and the administrators are notified.
 * @param read the charge's refunds as the provider has just reported them; null if the charge is unknown in the
 * provider's account
 * @throws RefundsChanged
 */
export async function recordRefundFailed(
  refund: EndingRefund,
  { gatewayRefundId, failureCode }: { gatewayRefundId: string | null; failureCode: string },
  read: RefundsRead | null,
): Promise<void> {
  await lockRefundedCapture(refund);
  const code = failureCode.slice(0, 100);
  const ended = await endRefund(refund, { status: 'failed', gateway_refund_id: gatewayRefundId, failure_code: code });
  const outcome = read && (await refundCapture(refund.processorId, refund.intentId, read));
  // Stop if the failure was recorded before. Also stop if refunded money came back, because `refundCapture` has already
  // notified the administrators.
  if (!ended || (outcome?.state === 'noted' && outcome.failedCents > 0)) return;
  await auditRefund(refund, 'capture.refund_failed', { failure_code: code });
  await notify(notifications.refund_failed, [refund.captureId], { cause: `refund_failed:${refund.id}` });
  await notifyOtherAdmins('payment_refund_failed', refund.processorId);
}

/** Locks the remittance, then the capture: all transactions lock in this order. */
const lockRefundedCapture = ({ processorId, intentId }: EndingRefund) => lockCapture(processorId, intentId);

const endRefund = ({ id }: EndingRefund, outcome: Change<CaptureResolution>) =>
  changeRow(CaptureResolution, { id, status: 'pending' }, { ...outcome, finished_at: now });

const auditRefund = (refund: EndingRefund, action: string, more: Record<string, unknown>): Promise<void> =>
  audit({
    action,
    subjectType: 'processor_capture',
    subjectId: refund.captureId,
    after: { processor_payment_id: refund.intentId, amount_cents: refund.amountCents, ...more },
  });

/** State of a refund, for people. */
export interface CaptureRefundState {
  id: string;
  status: 'succeeded' | 'processing' | 'failed';
  failure_code: string | null;
}

const SHOWN_STATUS = { pending: 'processing', done: 'succeeded', failed: 'failed' } as const;

/** Reads the state of a refund. @throws Refusal not_found */
export async function readCaptureRefund(resolutionId: string): Promise<CaptureRefundState> {
  const { id, status, failure_code } = await readRow(CaptureResolution, resolutionId);
  return { id, status: SHOWN_STATUS[status], failure_code };
}

/** Reports for each refund whether it has succeeded; unknown ids are left out. */
export async function readRefundOutcomes(resolutionIds: readonly string[]): Promise<ReadonlyMap<string, ChargeState>> {
  const refunds = await rows<{ id: string; moved: ChargeState }>(
    `SELECT id, CASE status WHEN 'done' THEN 'yes' WHEN 'pending' THEN 'unknown' ELSE 'no' END AS moved
       FROM capture_resolutions WHERE organization_id = $1 AND id = ANY ($2)`,
    [currentOrganization(), resolutionIds],
  );
  return new Map(refunds.map(({ id, moved }) => [id, moved]));
}
