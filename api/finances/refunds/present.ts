import type { ShownRow } from '../../../models/database/model/read.js';
import type { Refund } from '../../../models/finances/refunds/Refund.js';
import type { InvoiceDetail } from '../../../models/finances/invoices/readInvoice.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { withoutAmounts } from '../amounts.js';
import { seesInvoiceAmounts } from '../invoices/present.js';

type Shown = ShownRow<typeof Refund>;

/** Hides the amount and the typed reason of a refund from readers who do not see the amounts of the invoice. */
export const presentRefund = (
  actor: Actor,
  invoice: InvoiceDetail,
  refund: Shown,
): Omit<Shown, 'amount_cents'> & { amount_cents: number | null } =>
  seesInvoiceAmounts(actor, invoice) ? refund : withoutAmounts(refund, { reason: 'Refund' });
