import type { ShownRow } from '../../../models/database/model/read.js';
import type { Refund } from '../../../models/finances/refunds/Refund.js';
import type { InvoiceDetail } from '../../../models/finances/invoices/readInvoice.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { seesAmounts } from '../invoices/present.js';

type Shown = ShownRow<typeof Refund>;

/** Whoever does not see what an invoice owes does not see what went back of it, nor words in which somebody may have typed that. */
export const presentRefund = (
  actor: Actor,
  invoice: InvoiceDetail,
  refund: Shown,
): Omit<Shown, 'amount_cents'> & { amount_cents: number | null } =>
  seesAmounts(actor, invoice) ? refund : { ...refund, amount_cents: null, reason: 'Refund', reference: null };
