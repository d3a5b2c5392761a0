import { financesErrors } from '../../../models/finances/errors.js';
import type { InvoiceDetail } from '../../../models/finances/invoices/readInvoice.js';
import { refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { authorize, may } from '../../http/policy.js';
import { invoicePolicy } from './policy.js';
import { readVisibleInvoice } from './readVisibleInvoice.js';
import { readsAmounts } from '../amounts.js';

/**
 * Reads an invoice that the actor may adjust: administrators any invoice; officers those of their chapter's members,
 * except their own, and only if they see amounts.
 * @throws Refusal not_found, forbidden, own_invoice, amounts_hidden
 */
export async function requireAdjustable(actor: Actor, id: string): Promise<InvoiceDetail> {
  const invoice = await readVisibleInvoice(actor, id);
  const subject = { chapter_id: invoice.chapter, membership_id: invoice.membership };
  authorize(actor, invoicePolicy, 'adjust', subject);
  if (may(actor, invoicePolicy, 'discount', subject)) return invoice;
  if (invoice.payer_type === 'chapter') throw refuse.forbidden();
  if (actor.membershipIds.includes(invoice.membership ?? '')) throw financesErrors.own_invoice();
  if (!(await readsAmounts(actor, subject))) throw financesErrors.amounts_hidden();
  return invoice;
}
