/** Steps that bill, reduce and increase. */
import { rows } from '../../../../models/database/rows.js';
import type { Payer } from '../../../../models/finances/credit/payer.js';
import { regenerateInvoice } from '../../../../models/finances/regeneration/regenerateInvoice.js';
import { addFee } from '../../../../models/finances/adjustments/addFee.js';
import { voidInvoice } from '../../../../models/finances/voidInvoice.js';
import { asOwner } from '../../owner.js';
import { anInvoice } from '../../world.js';
import type { AccountStage, Does } from './stage.js';

export const billing: Does<'bill' | 'bill dues' | 'issue anew' | 'discount' | 'withdraw discount' | 'fee' | 'void'> = {
  bill: (stage, { payer, cents }) => bill(stage, stage.payer(payer), cents),
  'bill dues': (stage, { payer, cents }) => billDues(stage, stage.payer(payer), cents),
  'issue anew': (stage, { pick, cents }) => issueAnew(stage, pick, cents),
  discount: (stage, { pick, cents }) => discount(stage, stage.invoice(pick), cents),
  'withdraw discount': (stage, { pick }) => withdrawDiscount(stage, pick),
  fee: (stage, { pick, cents }) => fee(stage.invoice(pick), cents),
  void: (stage, { pick }) => voidOne(stage.invoice(pick)),
};

async function bill(stage: AccountStage, payer: Payer, cents: number): Promise<void> {
  stage.invoices.push(await anInvoice(stage.world, { ...payer, cents }));
}

/** A payer has one current invoice for a term at a time. */
async function billDues(stage: AccountStage, payer: Payer, cents: number): Promise<void> {
  const id = await anInvoice(stage.world, { ...payer, cents });
  stage.invoices.push(id);
  await asOwner(
    `UPDATE chapter_invoices i SET is_recurring = true WHERE id = $1 AND NOT EXISTS (SELECT FROM chapter_invoices o
      WHERE o.chapter_id = i.chapter_id AND o.membership_id IS NOT DISTINCT FROM i.membership_id AND o.is_recurring AND o.status <> 'void')`,
    [id],
  );
}

/** Dues of any payer, at a rate of today. */
async function issueAnew(stage: AccountStage, pick: number, cents: number): Promise<void> {
  const dues = await rows<{ id: string; payer_type: string }>(
    `SELECT id, payer_type FROM chapter_invoices WHERE organization_id = $1 AND is_recurring AND status <> 'void' ORDER BY id`,
    [stage.organizationId],
  );
  const chosen = dues[pick % Math.max(1, dues.length)];
  if (!chosen) return;
  await rows(
    `INSERT INTO dues_rates (organization_id, term_id, status, amount_cents) VALUES ($1, $2, 'undergrad', $3)
     ON CONFLICT ON CONSTRAINT dues_rates_term_status_unique DO UPDATE SET amount_cents = excluded.amount_cents`,
    [stage.organizationId, stage.world.termId, cents],
  );
  await rows(
    `INSERT INTO org_dues_settings (organization_id, billing_mode) VALUES ($1, $2)
     ON CONFLICT (organization_id) DO UPDATE SET billing_mode = excluded.billing_mode`,
    [stage.organizationId, `bill_${chosen.payer_type}`],
  );
  stage.invoices.push((await regenerateInvoice(chosen.id)).replacementId);
}

async function discount(stage: AccountStage, invoiceId: string | undefined, cents: number): Promise<void> {
  if (!invoiceId) return;
  // Changing an invoice locks it.
  await rows('SELECT id FROM chapter_invoices WHERE id = $1 FOR UPDATE', [invoiceId]);
  await rows(
    `INSERT INTO invoice_discounts (organization_id, invoice_id, amount_cents, reason) VALUES ($1, $2, $3, 'Hardship')`,
    [stage.world.organizationId, invoiceId, cents],
  );
}

async function withdrawDiscount(stage: AccountStage, pick: number): Promise<void> {
  await rows('SELECT id FROM chapter_invoices WHERE id = ANY($1) ORDER BY id FOR UPDATE', [stage.invoices]);
  await rows(
    `UPDATE invoice_discounts SET voided_at = now(), void_reason = 'Given by mistake' WHERE id = (
       SELECT id FROM invoice_discounts WHERE invoice_id = ANY($1) AND voided_at IS NULL ORDER BY id DESC OFFSET $2 LIMIT 1)`,
    [stage.invoices, pick % 3],
  );
}

async function fee(invoiceId: string | undefined, cents: number): Promise<void> {
  if (invoiceId) await addFee(invoiceId, cents, 'Late');
}

async function voidOne(invoiceId: string | undefined): Promise<void> {
  if (invoiceId) await voidInvoice(invoiceId, 'A mistake');
}
