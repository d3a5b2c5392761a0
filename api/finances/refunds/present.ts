import type { ShownRow } from '../../../models/database/model/read.js';
import type { Refund } from '../../../models/finances/refunds/Refund.js';
import type { InvoiceDetail } from '../../../models/finances/invoices/readInvoice.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { withoutAmounts } from '../amounts.js';
import { seesInvoiceAmounts } from '../invoices/present.js';

type Shown = ShownRow<typeof Refund>;

/** Whoever does not see what an invoice owes does not see what went back of it, nor words in which somebody may have typed that. */
export const presentRefund = (
  actor: Actor,
  invoice: InvoiceDetail,
  refund: Shown,
): Omit<Shown, 'amount_cents'> & { amount_cents: number | null } =>
  seesInvoiceAmounts(actor, invoice) ? refund : withoutAmounts(refund, { reason: 'Refund' });
