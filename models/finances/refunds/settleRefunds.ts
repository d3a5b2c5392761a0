/** What the provider says of refunds that we asked it for. */
import { audit } from '../../database/audit.js';
import { type Change, changeRow, lockIfThere, now } from '../../database/model/change.js';
import { readRow } from '../../database/model/read.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { ProcessorCapture } from '../captures/ProcessorCapture.js';
import { closeBounced, openCase } from '../cases/keepCase.js';
import { told } from '../notifications.js';
import { coverShortfall } from '../credit/coverShortfall.js';
import type { Payer } from '../credit/payer.js';
import { Refund, REFUND_STATUSES } from './Refund.js';
import { unwaive, waiveReopened } from './waiveReopened.js';

/** A refund at the provider that was marked with an id of ours. */
export interface MarkedRefund {
  refundId: string;
  status: 'refunded' | 'pending' | 'failed';
  gatewayRefundId: string;
  amountCents: number;
  failureCode: string | null;
}

type Known = Pick<
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

/** What went back of a payment because we asked for it, in cents. */
export interface OwnRefund {
  paymentId: string;
  cents: number;
}

/** Ours of a charge, in cents. */
export interface OwnRefunds {
  /** Asked for, and the provider does not know yet: not gone back. */
  pendingCents: number;
  /** All of the charge that has gone back. */
  goneCents: number;
  /** Those that went back just now. */
  now: OwnRefund[];
}

/**
 * Brings the refunds of a held charge to what the provider says of them. Each moves once, whoever hears of it first.
 * @param marked all of the charge's at the provider; null: it was not asked
 */
export async function settleRefunds(captureId: string, marked: readonly MarkedRefund[] | null): Promise<OwnRefunds> {
  const known = await rows<Known>(
    `SELECT id, invoice_id, payment_record_id, amount_cents, of_credit, credit_membership_id, status, waives, waiver_id, reason FROM refunds
      WHERE organization_id = $1 AND capture_id = $2 ORDER BY id FOR UPDATE`,
    [currentOrganization(), captureId],
  );
  const own: OwnRefunds = { pendingCents: 0, goneCents: 0, now: [] };
  for (const refund of known) {
    const said = marked?.find(({ refundId }) => refundId === refund.id);
    // What went back of credit takes the credit with it, as when somebody else gives it back.
    if (said && (await move(captureId, refund, said)) === 'succeeded' && !refund.of_credit)
      own.now.push({ paymentId: refund.payment_record_id, cents: refund.amount_cents });
    if (said?.status === 'pending') own.pendingCents += refund.amount_cents;
    if (said ? said.status === 'refunded' : refund.status === 'succeeded') own.goneCents += refund.amount_cents;
  }
  return own;
}

/** @returns what it has become just now; null: it is known already */
async function move(captureId: string, refund: Known, said: MarkedRefund): Promise<Refund['status'] | null> {
  const { invoice_id: invoiceId, status } = refund;
  const to = BECOMES[said.status];
  // What the provider said before may come late: a refund only goes forward.
  if (REFUND_STATUSES.indexOf(to) <= REFUND_STATUSES.indexOf(status)) return null;
  const change: Change<Refund> = { status: to, gateway_refund_id: said.gatewayRefundId };
  // Before it counts: the invoice is then never due in between.
  if (to === 'succeeded' && refund.waives)
    change.waiver_id = await waiveReopened(invoiceId, refund.amount_cents, refund.reason);
  if (to === 'failed' && refund.waiver_id) await unwaive(invoiceId, refund.waiver_id);
  if (to === 'failed') change.failure_code = (said.failureCode ?? 'refund_failed').slice(0, 100);
  if (to !== 'processing') change.finished_at = now;
  await changeRow(Refund, { id: refund.id, status }, change);
  if (to === 'succeeded') await closeBounced(refund.payment_record_id, refund.amount_cents);
  if (to === 'failed') await tellFailed(captureId, refund, said.failureCode ?? 'refund_failed');
  return to;
}

/** What the provider says, in the words of our row. */
const BECOMES = { pending: 'processing', refunded: 'succeeded', failed: 'failed' } as const;

/** Whose credit goes back. */
const payerOf = ({ invoice_id, credit_membership_id }: Known): Promise<Payer> =>
  oneRow<Payer>(
    `SELECT coalesce(m.chapter_id, i.chapter_id) AS "chapterId", coalesce(m.id, i.membership_id) AS "membershipId"
       FROM chapter_invoices i LEFT JOIN memberships m ON m.organization_id = i.organization_id AND m.id = $3
      WHERE i.organization_id = $1 AND i.id = $2`,
    [currentOrganization(), invoice_id, credit_membership_id],
  );

/** What had gone back and is here again is to be given back in another way. */
async function openBounced(captureId: string, { id, amount_cents }: Known): Promise<void> {
  const { processor_id } = await readRow(ProcessorCapture, captureId);
  const key = { kind: 'refund_bounced', processorId: processor_id, gatewayObject: id } as const;
  await openCase({ ...key, amountCents: amount_cents, of: { refund_id: id } });
}

/** The failure of what nobody sent: whoever called it off knows. */
export const CALLED_OFF = 'cancelled';

/** The money stays where it is, or is here again; that it came back is told with the charge. */
async function tellFailed(captureId: string, refund: Known, failureCode: string) {
  const { id, invoice_id, amount_cents, of_credit, status } = refund;
  await audit({
    action: 'refund.failed',
    subjectType: 'invoice',
    subjectId: invoice_id,
    after: { refund_id: id, amount_cents, failure_code: failureCode },
  });
  // Credit that stays covers what its payer is short of.
  if (of_credit) await coverShortfall(await payerOf(refund));
  if (status === 'succeeded') await openBounced(captureId, refund);
  if (status === 'succeeded' || failureCode === CALLED_OFF) return;
  await notify(told.refund_failed, [captureId], { cause: `refund_failed:${id}`, actor: null });
}

/**
 * The provider has refused it, or has never heard of it when it could not be asked under the same key any more: what was
 * reserved is free again.
 */
export async function failRefund(refundId: string, failureCode: string): Promise<void> {
  const refund = await lockIfThere(Refund, refundId);
  if (!refund?.capture_id || refund.finished_at) return;
  const { status } = refund;
  const failure_code = failureCode.slice(0, 100);
  await changeRow(Refund, { id: refundId, status }, { status: 'failed', failure_code, finished_at: now });
  await tellFailed(refund.capture_id, refund, failure_code);
}
