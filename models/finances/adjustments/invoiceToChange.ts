/** What every change of an invoice begins and ends with. */
import { holdRow } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { found } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { financesErrors } from '../errors.js';
import { ChapterInvoice } from '../invoices/ChapterInvoice.js';
import { told } from '../notifications.js';

/** An invoice that stands, held until the transaction ends. @throws Refusal not_found, invoice_void */
export async function holdStanding(invoiceId: string): Promise<ChapterInvoice> {
  const invoice = found(await holdRow(ChapterInvoice, invoiceId));
  if (invoice.status === 'void') throw financesErrors.invoice_void();
  return invoice;
}

/**
 * Whatever pays an invoice waits for the charge that is on its way for it: else that money would come to an invoice which does
 * not owe it any more. The invoice is held, and nobody reserves it meanwhile.
 * @throws Refusal invoice_being_paid
 */
export async function requireNotBeingPaid(invoiceId: string): Promise<void> {
  const reserved = await firstRow(
    `SELECT FROM chapter_remittance_allocations
      WHERE organization_id = $1 AND invoice_id = $2 AND reserved_by_attempt_id IS NOT NULL`,
    [currentOrganization(), invoiceId],
  );
  if (reserved) throw financesErrors.invoice_being_paid();
}

/** The payer hears that something else is due. @param change tells two changes of one invoice apart */
export const tellPayer = (invoiceId: string, change: string): Promise<void> =>
  notify(told.invoice_changed, [invoiceId], { cause: `changed:${change}` });
