import { audit } from '../../database/audit.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { financesErrors } from '../errors.js';
import { notifications } from '../notifications.js';
import { LOCAL_DAY_SQL } from '../overdue/localDay.js';

export interface InvoiceReminder {
  invoice: string;
  /** The organization's local date. The payer gets no other reminder on this day. */
  reminded_on: string;
}

interface InvoiceState {
  status: string;
  today: string;
  is_due: boolean;
  is_past_due: boolean;
  is_frozen: boolean;
  is_disputed: boolean;
}

/**
 * Reminds the payer of an invoice on request, at most once per local day.
 * @throws Refusal not_found, invoice_void, nothing_due, invoice_frozen, invoice_disputed, already_reminded
 */
export async function remindOfInvoice(id: string): Promise<InvoiceReminder> {
  const organizationId = currentOrganization();
  const invoice = await firstRow<InvoiceState>(
    `SELECT i.status, to_char(${LOCAL_DAY_SQL}, 'YYYY-MM-DD') AS today, i.balance_due_cents > 0 AS is_due,
            i.due_date < ${LOCAL_DAY_SQL} AS is_past_due,
            app.invoice_is_frozen(i.organization_id, i.id, ${LOCAL_DAY_SQL}) AS is_frozen,
            EXISTS (SELECT FROM app.open_disputes_of_invoice(i.organization_id, i.id)) AS is_disputed
       FROM chapter_invoices i JOIN organizations o ON o.id = i.organization_id
      WHERE i.organization_id = $1 AND i.id = $2 FOR NO KEY UPDATE OF i`,
    [organizationId, id],
  );
  if (!invoice) throw refuse.not_found();
  if (invoice.status === 'void') throw financesErrors.invoice_void();
  if (!invoice.is_due) throw financesErrors.nothing_due();
  if (invoice.is_frozen) throw financesErrors.invoice_frozen();
  if (invoice.is_disputed) throw financesErrors.invoice_disputed();
  const claimed = await firstRow(
    `INSERT INTO invoice_reminders (organization_id, invoice_id, kind, occasion) VALUES ($1, $2, 'asked', $3)
     ON CONFLICT ON CONSTRAINT invoice_reminders_once DO NOTHING RETURNING id`,
    [organizationId, id, invoice.today],
  );
  if (!claimed) throw financesErrors.already_reminded();
  const type = invoice.is_past_due ? notifications.invoice_overdue : notifications.invoice_due_soon;
  // The notification has no actor, because the requester may be the payer of a chapter and is then notified as well.
  await notify(type, [id], { cause: `asked:${invoice.today}`, actor: null });
  await audit({ action: 'invoice.reminded', subjectType: 'invoice', subjectId: id, after: { on: invoice.today } });
  return { invoice: id, reminded_on: invoice.today };
}
