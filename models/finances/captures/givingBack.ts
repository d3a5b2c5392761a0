/** The refund of an unmatched payment, as its process sees it. */
import { audit } from '../../database/audit.js';
import { type Change, changeRow, now } from '../../database/model/change.js';
import { findRow } from '../../database/model/read.js';
import { firstRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { openAccess, type ProcessorAccess } from '../attempts/processorAccess.js';
import { told } from '../notifications.js';
import { tellOtherAdmins } from '../payment-processors/tellOtherAdmins.js';
import { CaptureResolution } from './CaptureResolution.js';
import { CAPTURE_VERSION_SQL, holdCapture } from './bringTo.js';
import { refundCapture, type RefundsRead } from './refundCapture.js';

export interface GivingBack {
  id: string;
  captureId: string;
  processorId: string;
  intentId: string;
  /** What goes back: all that was left of the charge when it was asked for, or of a remittance's what no invoice can take. */
  amountCents: number;
  isAll: boolean;
  /** Of the capture, before the provider is asked. */
  version: string;
  status: CaptureResolution['status'];
  /** Of the processor, as people call it. */
  label: string;
  access: ProcessorAccess;
}

/** Which refund it is that ends. */
export type EndingRefund = Pick<GivingBack, 'id' | 'captureId' | 'processorId' | 'intentId' | 'amountCents' | 'label'>;

interface Row extends Omit<GivingBack, 'access'> {
  provider: string;
  secret: string;
}

/** @throws RowMissing when this tenant has no such refund */
export async function loadGivingBack(resolutionId: string): Promise<GivingBack> {
  const row = await firstRow<Row>(
    `SELECT r.id, c.id AS "captureId", c.processor_id AS "processorId", c.intent_id AS "intentId", r.amount_cents AS "amountCents",
            r.amount_cents >= c.amount_cents - c.refunded_cents AS "isAll",
            ${CAPTURE_VERSION_SQL} AS version, r.status, p.label, p.provider, p.secret_key_encrypted AS secret
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
 * Notes that the money goes back, once; the event of the refund may have come first, or comes later.
 * @param read what the provider says of the charge's refunds by now
 * @throws RefundsChanged
 */
export async function noteGivenBack(refund: EndingRefund, gatewayRefundId: string, read: RefundsRead): Promise<void> {
  await lockCapture(refund);
  const ended = await end(refund, { status: 'done', gateway_refund_id: gatewayRefundId });
  await refundCapture(refund.processorId, refund.intentId, read);
  if (ended) await tell(refund, 'capture.refunded', { refund: gatewayRefundId });
}

/**
 * Notes that the money stays where it is: the payment waits for a decision again, and the administrators are told.
 * @param read null where the account does not know the charge
 * @throws RefundsChanged
 */
export async function noteNotGivenBack(
  refund: EndingRefund,
  { gatewayRefundId, failureCode }: { gatewayRefundId: string | null; failureCode: string },
  read: RefundsRead | null,
): Promise<void> {
  await lockCapture(refund);
  const code = failureCode.slice(0, 100);
  const ended = await end(refund, { status: 'failed', gateway_refund_id: gatewayRefundId, failure_code: code });
  const outcome = read && (await refundCapture(refund.processorId, refund.intentId, read));
  // Where money was noted as given back and is here again, that has been told.
  if (!ended || (outcome?.state === 'noted' && outcome.failedCents > 0)) return;
  await tell(refund, 'capture.refund_failed', { failure_code: code });
  await notify(told.refund_failed, [refund.captureId], { cause: `refund_failed:${refund.id}` });
  await tellOtherAdmins('payment_refund_failed', refund.label);
}

/** Its remittance, then the capture: everybody locks in this order. */
const lockCapture = ({ processorId, intentId }: EndingRefund) => holdCapture(processorId, intentId);

const end = ({ id }: EndingRefund, outcome: Change<CaptureResolution>) =>
  changeRow(CaptureResolution, { id, status: 'pending' }, { ...outcome, finished_at: now });

const tell = (refund: EndingRefund, action: string, more: Record<string, unknown>): Promise<void> =>
  audit({
    action,
    subjectType: 'processor_capture',
    subjectId: refund.captureId,
    after: { processor_payment_id: refund.intentId, amount_cents: refund.amountCents, ...more },
  });

/** Whether the money of a refund has gone back. */
export async function givenBack(resolutionId: string): Promise<'yes' | 'no' | 'unknown'> {
  const refund = await findRow(CaptureResolution, resolutionId);
  if (!refund || refund.status === 'pending') return 'unknown';
  return refund.status === 'done' ? 'yes' : 'no';
}
