import { refuse } from '../../../models/errors.js';
import { type InvoiceDetail, readInvoice } from '../../../models/finances/invoices/readInvoice.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { may } from '../../http/policy.js';
import { invoicePolicy } from './policy.js';

/** Reads an invoice that the actor may read; any other is reported as missing. @throws Refusal not_found */
export async function readVisibleInvoice(actor: Actor, id: string): Promise<InvoiceDetail> {
  const invoice = await readInvoice(id);
  const subject = invoice && { chapter_id: invoice.chapter, membership_id: invoice.membership };
  if (!subject || !may(actor, invoicePolicy, 'read', subject)) throw refuse.not_found();
  return invoice;
}
