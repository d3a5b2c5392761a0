/** Payments by card, manual ones, and from credit. */
import { firstRow, oneRow, rows } from '../../../../models/database/rows.js';
import { uuidv7 } from '../../../../models/database/uuid.js';
import { recordIntent } from '../../../../models/finances/attempts/attempt.js';
import { recordInvoiceCharge } from '../../../../models/finances/captures/recordInvoiceCharge.js';
import { syncManualRefundCases } from '../../../../models/finances/cases/syncManualRefundCases.js';
import { applyCredit } from '../../../../models/finances/credit/applyCredit.js';
import { issueCredit } from '../../../../models/finances/credit/issueCredit.js';
import type { Payer } from '../../../../models/finances/credit/payer.js';
import { reverseCredit } from '../../../../models/finances/credit/reverseCredit.js';
import { beginPayment } from '../../../../models/finances/remittances/beginPayment.js';
import { minChargeCentsOf } from '../../../../models/finances/payment-processors/providers.js';
import { createRemittance } from '../../../../models/finances/remittances/createRemittance.js';
import { settleRemittance } from '../../../../models/finances/remittances/settleRemittance.js';
import { settleMemberDebts } from '../../../../models/finances/settleMemberDebts.js';
import { payByHand } from '../../../../models/finances/adjustments/payByHand.js';
import { voidInvoice } from '../../../../models/finances/voidInvoice.js';
import { aCharge } from './charge.js';
import type { AccountStage, Does } from './stage.js';

export const paying: Does<
  | 'pay'
  | 'pay too much'
  | 'pay by hand'
  | 'remit'
  | 'remit in trouble'
  | 'settle'
  | 'spend'
  | 'give'
  | 'pay out'
  | 'reverse'
> = {
  pay: (stage, { pick, cents }) => pay(stage, stage.invoice(pick), cents),
  'pay too much': (stage, { pick, cents }) => pay(stage, stage.invoice(pick), cents, 'beyond what is due'),
  'pay by hand': (stage, { pick, cents }) => payHand(stage.invoice(pick), cents),
  remit: (stage, { pick, many }) => remit(stage, pick, many),
  'remit in trouble': (stage, step) => remit(stage, step.pick, step.many, step),
  settle: (stage, { payer }) => settle(stage.payer(payer)),
  spend: (stage, { pick, cents }) => spend(stage, pick, cents),
  give: (stage, { payer, cents }) => issueCredit({ payer: stage.payer(payer), amountCents: cents, reason: 'A gift' }),
  'pay out': (stage, { payer, percent }) => payOut(stage, stage.payer(payer), percent),
  reverse: (stage, { pick }) => reverse(stage, pick),
};

async function pay(
  stage: AccountStage,
  invoiceId: string | undefined,
  cents: number,
  beyond?: 'beyond what is due',
): Promise<void> {
  if (!invoiceId) return;
  const { due } = await oneRow<{ due: number }>('SELECT balance_due_cents AS due FROM chapter_invoices WHERE id = $1', [
    invoiceId,
  ]);
  const amountCents = beyond ? due + cents : cents;
  const intentId = `pi_${uuidv7()}`;
  const { processorId } = stage;
  await recordInvoiceCharge({ processorId, intentId, invoiceId, amountCents, currency: 'usd', attemptId: null });
  stage.charges.push(aCharge(intentId, amountCents));
}

async function payHand(invoiceId: string | undefined, amount_cents: number): Promise<void> {
  if (!invoiceId) return;
  const by = { method: 'cash', reference: 'Slip', received_on: '2020-01-02', idempotency_key: uuidv7() } as const;
  await payByHand(invoiceId, { amount_cents, ...by });
}

async function remit(
  stage: AccountStage,
  pick: number,
  many: number,
  { trouble, cents }: { trouble?: 'stale' | 'less' | 'more' | 'twice'; cents: number } = { cents: 0 },
): Promise<void> {
  const open = await rows<{ id: string; due: number }>(
    `SELECT id, balance_due_cents AS due FROM chapter_invoices
      WHERE id = ANY($1) AND chapter_id = $2 AND payer_type = 'member' AND balance_due_cents > 0 ORDER BY id`,
    [stage.invoices, stage.world.chapterId],
  );
  const chosen = open.slice(pick % Math.max(1, open.length)).slice(0, many);
  const amountCents = chosen.reduce((sum, { due }) => sum + due, 0);
  if (amountCents < minChargeCentsOf('stripe')) return;
  const { userId } = stage.world.officer;
  const allocations = chosen.map(({ id, due }) => ({ invoice: id, amount_cents: due }));
  const remittanceId = await createRemittance(stage.world.chapterId, allocations, userId);
  const { attemptId } = await beginPayment(remittanceId, 'pm_card_visa', userId);
  const intentId = `pi_${uuidv7()}`;
  await recordIntent(attemptId, intentId);
  if (trouble === 'stale') await voidInvoice(chosen[0]?.id as string, 'Meanwhile');
  const taken = amountCents + (trouble === 'less' ? 1 - Math.min(cents, amountCents) : trouble === 'more' ? cents : 0);
  await settleCharge(stage, remittanceId, intentId, taken);
  if (trouble === 'twice') await settleCharge(stage, remittanceId, `pi_${uuidv7()}`, amountCents);
}

async function settleCharge(
  stage: AccountStage,
  remittanceId: string,
  intentId: string,
  amountCents: number,
): Promise<void> {
  await settleRemittance({ remittanceId, processorId: stage.processorId, intentId, amountCents });
  stage.charges.push(aCharge(intentId, amountCents));
}

async function settle({ membershipId }: Payer): Promise<void> {
  if (membershipId) await settleMemberDebts([membershipId]);
}

async function spend(stage: AccountStage, pick: number, cents: number): Promise<void> {
  const payable = await rows<{ id: string }>(
    `SELECT id FROM chapter_invoices WHERE id = ANY($1) AND balance_due_cents > 0
        AND app.credit_balance(chapter_id, membership_id) > 0 ORDER BY id`,
    [stage.invoices],
  );
  const chosen = payable[pick % payable.length];
  if (chosen) await applyCredit(chosen.id, { upToCents: cents });
}

/** Credit that is paid out: a later returned refund cannot be revoked from it. */
async function payOut(stage: AccountStage, { chapterId, membershipId }: Payer, percent: number): Promise<void> {
  await rows(
    `INSERT INTO chapter_account_credits (organization_id, chapter_id, payer_type, membership_id, kind, amount_cents, reason)
     SELECT $1, $2, $3, $4, 'refunded', ceil(available * $5::int / 100.0), 'Sent back'
       FROM (SELECT app.credit_balance($2, $4) AS available) payer WHERE available > 0`,
    [stage.organizationId, chapterId, membershipId ? 'member' : 'chapter', membershipId, percent],
  );
  await syncManualRefundCases([membershipId]);
}

async function reverse(stage: AccountStage, pick: number): Promise<void> {
  const entry = await firstRow<{ id: string }>(
    'SELECT id FROM chapter_account_credits WHERE organization_id = $1 ORDER BY id DESC OFFSET $2 LIMIT 1',
    [stage.organizationId, pick % 10],
  );
  if (entry) await reverseCredit(entry.id, 'A mistake');
}
