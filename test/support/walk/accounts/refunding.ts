/** Refunds: made by others, and on our request. */
import { oneRow } from '../../../../models/database/rows.js';
import type { Payer } from '../../../../models/finances/credit/payer.js';
import { refundCredit } from '../../../../models/finances/credit/refundCredit.js';
import { lockRefundable } from '../../../../models/finances/refunds/refundable.js';
import { totalCents, reserveRefunds } from '../../../../models/finances/refunds/reserveRefunds.js';
import { failRefund, type MarkedRefund } from '../../../../models/finances/refunds/settleRefunds.js';
import { cancelRefund } from '../../../../models/finances/refunds/sendRefund.js';
import { type Charge, leftOf } from './charge.js';
import type { AccountStage, Does } from './stage.js';

export const refunding: Does<
  'refund' | 'refund again' | 'refund fails' | 'give back' | 'send credit back' | 'hear of it' | 'call off'
> = {
  refund: (stage, { pick, percent }) => refund(stage, stage.charge(pick), percent),
  'refund again': (stage, { pick }) => refund(stage, stage.charge(pick), 0),
  'refund fails': (stage, { pick, percent }) => refundFails(stage, stage.charge(pick), percent),
  'give back': (stage, { pick, percent, waive }) => giveBack(stage, stage.invoice(pick), percent, waive),
  'send credit back': (stage, { payer, percent }) => sendBack(stage, stage.payer(payer), percent),
  'hear of it': (stage, { pick, status }) => hearOfIt(stage, pick, status),
  'call off': (stage, { pick }) => callOff(stage, pick),
};

/** Reports the total that was refunded so far, like the processor's event. */
async function refund(stage: AccountStage, charge: Charge | undefined, percent: number): Promise<void> {
  if (!charge) return;
  charge.refunded += Math.ceil((Math.max(0, leftOf(charge)) * percent) / 100);
  await stage.note(charge);
}

/** A bank returns a part of a refund: the provider is asked, and reports less than before. */
async function refundFails(stage: AccountStage, charge: Charge | undefined, percent: number): Promise<void> {
  if (!charge || charge.refunded === 0) return;
  charge.refunded -= Math.ceil((charge.refunded * percent) / 100);
  charge.read = true;
  await stage.note(charge);
}

/** We reserve a refund of an invoice; refunds of card payments are made later. */
async function giveBack(
  stage: AccountStage,
  invoiceId: string | undefined,
  percent: number,
  waive: boolean,
): Promise<void> {
  if (!invoiceId) return;
  const { payments } = await lockRefundable(invoiceId);
  const amount_cents = Math.ceil((totalCents(payments) * percent) / 100);
  if (amount_cents === 0) return;
  const { refunds } = await reserveRefunds(invoiceId, {
    amount_cents,
    waive,
    reason: 'Cancelled',
    reference: 'Cash',
  });
  await stage.remember(refunds);
}

/** We reserve a refund of a payer's unspent credit. */
async function sendBack(stage: AccountStage, payer: Payer, percent: number): Promise<void> {
  const { cents } = await oneRow<{ cents: number }>('SELECT app.credit_balance($1, $2) AS cents', [
    payer.chapterId,
    payer.membershipId,
  ]);
  const amountCents = Math.ceil((cents * percent) / 100);
  if (amountCents === 0) return;
  await stage.remember((await refundCredit(payer, { amountCents, reason: 'They have left' })).refunds);
}

/** The provider reports the outcome of a refund: made, pending, or failed; also after it was reported as made. */
async function hearOfIt(stage: AccountStage, pick: number, status: MarkedRefund['status']): Promise<void> {
  const asked = stage.charges.flatMap((charge) => charge.own.map((refund) => ({ charge, refund })));
  const { charge, refund } = asked.at(-1 - (pick % Math.max(1, Math.min(6, asked.length)))) ?? {};
  if (!charge || !refund || refund.status === 'failed' || (refund.status === 'refunded' && status === 'pending'))
    return;
  // The provider makes no refund of money that was withdrawn in the meantime.
  if (refund.status === null && refund.cents > leftOf(charge)) return failRefund(refund.id, 'refused');
  refund.status = status;
  await stage.note(charge);
}

/** A refund that was not sent yet is cancelled. */
async function callOff(stage: AccountStage, pick: number): Promise<void> {
  const reserved = stage.charges.flatMap((charge) =>
    charge.own.filter(({ status }) => status === null).map((refund) => ({ charge, refund })),
  );
  const { charge, refund } = reserved[pick % Math.max(1, reserved.length)] ?? {};
  if (!charge || !refund) return;
  await cancelRefund(refund.id);
  charge.own = charge.own.filter((one) => one !== refund);
}
