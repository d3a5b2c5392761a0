/** What goes back: by others, and because we asked for it. */
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

/** As the processor's event tells it: all that was given back so far. */
async function refund(stage: AccountStage, charge: Charge | undefined, percent: number): Promise<void> {
  if (!charge) return;
  charge.refunded += Math.ceil((Math.max(0, leftOf(charge)) * percent) / 100);
  await stage.note(charge);
}

/** A bank sends back a part of what was called refunded: the provider is asked, and says less than before. */
async function refundFails(stage: AccountStage, charge: Charge | undefined, percent: number): Promise<void> {
  if (!charge || charge.refunded === 0) return;
  charge.refunded -= Math.ceil((charge.refunded * percent) / 100);
  charge.read = true;
  await stage.note(charge);
}

/** We reserve what is to go back of an invoice; what was paid by a processor goes later. */
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

/** The same of a payer's unspent credit. */
async function sendBack(stage: AccountStage, payer: Payer, percent: number): Promise<void> {
  const { cents } = await oneRow<{ cents: number }>('SELECT app.credit_balance($1, $2) AS cents', [
    payer.chapterId,
    payer.membershipId,
  ]);
  const amountCents = Math.ceil((cents * percent) / 100);
  if (amountCents === 0) return;
  await stage.remember((await refundCredit(payer, { amountCents, reason: 'They have left' })).refunds);
}

/** The provider says what became of one: it goes back, a bank takes its time, or it stays; also after it was said to have gone. */
async function hearOfIt(stage: AccountStage, pick: number, status: MarkedRefund['status']): Promise<void> {
  const asked = stage.charges.flatMap((charge) => charge.own.map((refund) => ({ charge, refund })));
  const { charge, refund } = asked.at(-1 - (pick % Math.max(1, Math.min(6, asked.length)))) ?? {};
  if (!charge || !refund || refund.status === 'failed' || (refund.status === 'refunded' && status === 'pending'))
    return;
  // The provider makes none of what somebody else took meanwhile.
  if (refund.status === null && refund.cents > leftOf(charge)) return failRefund(refund.id, 'refused');
  refund.status = status;
  await stage.note(charge);
}

/** A refund that was not sent yet stays. */
async function callOff(stage: AccountStage, pick: number): Promise<void> {
  const reserved = stage.charges.flatMap((charge) =>
    charge.own.filter(({ status }) => status === null).map((refund) => ({ charge, refund })),
  );
  const { charge, refund } = reserved[pick % Math.max(1, reserved.length)] ?? {};
  if (!charge || !refund) return;
  await cancelRefund(refund.id);
  charge.own = charge.own.filter((one) => one !== refund);
}
