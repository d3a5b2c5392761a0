import { financesErrors } from '../../../models/finances/errors.js';
import type { InvoiceDetail } from '../../../models/finances/invoices/readInvoice.js';
import { refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { authorize, may } from '../../http/policy.js';
import { invoicePolicy } from './policy.js';
import { reachInvoice } from './reach.js';
import { readsAmounts } from '../amounts.js';

/**
 * An invoice whose money this actor may see to: administrators any, officers those of their chapter's members, but for their
 * own, and only where they see amounts.
 * @throws Refusal not_found, forbidden, own_invoice, amounts_hidden
 */
export async function adjustable(actor: Actor, id: string): Promise<InvoiceDetail> {
  const invoice = await reachInvoice(actor, id);
  const subject = { chapter_id: invoice.chapter, membership_id: invoice.membership };
  authorize(actor, invoicePolicy, 'adjust', subject);
  if (may(actor, invoicePolicy, 'discount', subject)) return invoice;
  if (invoice.payer_type === 'chapter') throw refuse.forbidden();
  if (actor.membershipIds.includes(invoice.membership ?? '')) throw financesErrors.own_invoice();
  if (!(await readsAmounts(actor, subject))) throw financesErrors.amounts_hidden();
  return invoice;
}
