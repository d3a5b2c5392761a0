/** Updates the platform's own refunds to what the provider reports. */
import { audit } from '../../database/audit.js';
import { type Change, changeRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { readRow } from '../../database/model/read.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { ProcessorCapture } from '../captures/ProcessorCapture.js';
import { closeBouncedCase, openCase } from '../cases/syncCases.js';
import { notifications } from '../notifications.js';
import { coverShortfall } from '../credit/coverShortfall.js';
import type { Payer } from '../credit/payer.js';
import { Refund, REFUND_STATUSES } from './Refund.js';
import { voidWaiver, waiveReopened } from './waiveReopened.js';

/** A refund at the provider whose metadata has one of our ids. */
export interface MarkedRefund {
  refundId: string;
  status: 'refunded' | 'pending' | 'failed';
  gatewayRefundId: string;
  amountCents: number;
  failureCode: string | null;
}

type RefundRow = Pick<
  Refund,
  | 'id'
  | 'invoice_id'
  | 'payment_record_id'
  | 'amount_cents'
  | 'of_credit'
  | 'credit_membership_id'
  | 'status'
  | 'waives'
  | 'waiver_id'
  | 'reason'
>;

/** A succeeded refund that we made of a payment, in cents. */
export interface OwnRefund {
  paymentId: string;
  cents: number;
}

/** Totals of our refunds of a charge, in cents. */
export interface OwnRefunds {
  /** Refunds that the provider reports as pending. They do not count as refunded yet. */
  pendingCents: number;
  /** All succeeded refunds of the charge. */
  succeededCents: number;
  /** Refunds that have just succeeded. */
  justSucceeded: OwnRefund[];
}

/**
 * Updates the refunds of a locked charge to what the provider reports. Each refund changes once per status, in any
 * order of reports.
 * @param marked all refunds of the charge at the provider that have one of our ids; null: the provider was not asked
 */
export async function settleRefunds(captureId: string, marked: readonly MarkedRefund[] | null): Promise<OwnRefunds> {
  const refunds = await rows<RefundRow>(
    `SELECT id, invoice_id, payment_record_id, amount_cents, of_credit, credit_membership_id, status, waives, waiver_id, reason FROM refunds
      WHERE organization_id = $1 AND capture_id = $2 ORDER BY id FOR UPDATE`,
    [currentOrganization(), captureId],
  );
  const own: OwnRefunds = { pendingCents: 0, succeededCents: 0, justSucceeded: [] };
  for (const refund of refunds) {
    const reported = marked?.find(({ refundId }) => refundId === refund.id);
    // A refund of credit is left out here, so that `deductRefunds` takes back the refunded credit, as for a refund made
    // outside of the platform.
    if (reported && (await advance(captureId, refund, reported)) === 'succeeded' && !refund.of_credit)
      own.justSucceeded.push({ paymentId: refund.payment_record_id, cents: refund.amount_cents });
    if (reported?.status === 'pending') own.pendingCents += refund.amount_cents;
    if (reported ? reported.status === 'refunded' : refund.status === 'succeeded')
      own.succeededCents += refund.amount_cents;
  }
  return own;
}

/** Advances a refund to the reported status. @returns the new status; null when it does not change */
async function advance(captureId: string, refund: RefundRow, reported: MarkedRefund): Promise<Refund['status'] | null> {
  const { invoice_id: invoiceId, status } = refund;
  const newStatus = STATUS_OF_REPORT[reported.status];
  // An older report may arrive late, so a report that would move the status backward is ignored.
  if (REFUND_STATUSES.indexOf(newStatus) <= REFUND_STATUSES.indexOf(status)) return null;
  const change: Change<Refund> = { status: newStatus, gateway_refund_id: reported.gatewayRefundId };
  // Grant the waiver before the refund takes effect, so that the invoice is never due in between.
  if (newStatus === 'succeeded' && refund.waives)
    change.waiver_id = await waiveReopened(invoiceId, refund.amount_cents, refund.reason);
  if (newStatus === 'failed' && refund.waiver_id) await voidWaiver(invoiceId, refund.waiver_id);
  if (newStatus === 'failed') change.failure_code = (reported.failureCode ?? 'refund_failed').slice(0, 100);
  if (newStatus !== 'processing') change.finished_at = now;
  await changeRow(Refund, { id: refund.id, status }, change);
  if (newStatus === 'succeeded') await closeBouncedCase(refund.payment_record_id, refund.amount_cents);
  if (newStatus === 'failed') await reportFailed(captureId, refund, reported.failureCode ?? 'refund_failed');
  return newStatus;
}

/** The status of our row for each status that the provider reports. */
const STATUS_OF_REPORT = { pending: 'processing', refunded: 'succeeded', failed: 'failed' } as const;

/** Reads the payer whose credit is refunded. */
const readCreditPayer = ({ invoice_id, credit_membership_id }: RefundRow): Promise<Payer> =>
  oneRow<Payer>(
    `SELECT coalesce(m.chapter_id, i.chapter_id) AS "chapterId", coalesce(m.id, i.membership_id) AS "membershipId"
       FROM chapter_invoices i LEFT JOIN memberships m ON m.organization_id = i.organization_id AND m.id = $3
      WHERE i.organization_id = $1 AND i.id = $2`,
    [currentOrganization(), invoice_id, credit_membership_id],
  );

/**
 * Opens a case for a refund that had succeeded and was then returned by the bank: the money must be refunded in another
 * way.
 */
async function openBouncedCase(captureId: string, { id, amount_cents }: RefundRow): Promise<void> {
  const { processor_id } = await readRow(ProcessorCapture, captureId);
  const key = { kind: 'refund_bounced', processorId: processor_id, gatewayObject: id } as const;
  await openCase({ ...key, amountCents: amount_cents, of: { refund_id: id } });
}

/** Failure code of a cancelled refund; the person who cancelled it needs no notification. */
export const CANCELLED = 'cancelled';

/**
 * Audits and notifies a failed refund. A refund that had succeeded before is not notified here, because the change of
 * its charge is notified.
 */
async function reportFailed(captureId: string, refund: RefundRow, failureCode: string) {
  const { id, invoice_id, amount_cents, of_credit, status } = refund;
  await audit({
    action: 'refund.failed',
    subjectType: 'invoice',
    subjectId: invoice_id,
    after: { refund_id: id, amount_cents, failure_code: failureCode },
  });
  // Because the refund failed, the payer keeps the credit, and it covers the payer's shortfall, if there is one.
  if (of_credit) await coverShortfall(await readCreditPayer(refund));
  if (status === 'succeeded') await openBouncedCase(captureId, refund);
  if (status === 'succeeded' || failureCode === CANCELLED) return;
  await notify(notifications.refund_failed, [captureId], { cause: `refund_failed:${id}`, actor: null });
}

/**
 * Fails a refund and releases the reserved money. Used when the provider refused the refund, or does not know it after
 * the idempotency key has expired.
 */
export async function failRefund(refundId: string, failureCode: string): Promise<void> {
  const refund = await lockForEditIfExists(Refund, refundId);
  if (!refund?.capture_id || refund.finished_at) return;
  const { status } = refund;
  const failure_code = failureCode.slice(0, 100);
  await changeRow(Refund, { id: refundId, status }, { status: 'failed', failure_code, finished_at: now });
  await reportFailed(refund.capture_id, refund, failure_code);
}
