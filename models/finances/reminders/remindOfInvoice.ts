import { audit } from '../../database/audit.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { financesErrors } from '../errors.js';
import { told } from '../notifications.js';
import { LOCAL_DAY_SQL } from '../overdue/localDay.js';
import { IS_DISPUTED } from './due.js';

export interface Reminded {
  invoice: string;
  /** The organization's day, of which this was its one reminder. */
  reminded_on: string;
}

interface Standing {
  status: string;
  today: string;
  is_due: boolean;
  is_past_due: boolean;
  is_frozen: boolean;
  is_disputed: boolean;
}

/**
 * Reminds whoever pays an invoice because somebody asked for it: once on a day of the organization's.
 * @throws Refusal not_found, invoice_void, nothing_due, invoice_frozen, invoice_disputed, already_reminded
 */
export async function remindOfInvoice(id: string): Promise<Reminded> {
  const organizationId = currentOrganization();
  const found = await firstRow<Standing>(
    `SELECT i.status, to_char(${LOCAL_DAY_SQL}, 'YYYY-MM-DD') AS today, i.balance_due_cents > 0 AS is_due,
            i.due_date < ${LOCAL_DAY_SQL} AS is_past_due,
            app.invoice_is_frozen(i.organization_id, i.id, ${LOCAL_DAY_SQL}) AS is_frozen, ${IS_DISPUTED} AS is_disputed
       FROM chapter_invoices i JOIN organizations o ON o.id = i.organization_id
      WHERE i.organization_id = $1 AND i.id = $2 FOR NO KEY UPDATE OF i`,
    [organizationId, id],
  );
  if (!found) throw refuse.not_found();
  if (found.status === 'void') throw financesErrors.invoice_void();
  if (!found.is_due) throw financesErrors.nothing_due();
  if (found.is_frozen) throw financesErrors.invoice_frozen();
  if (found.is_disputed) throw financesErrors.invoice_disputed();
  const claimed = await firstRow(
    `INSERT INTO invoice_notices (organization_id, invoice_id, kind, outcome, occasion) VALUES ($1, $2, 'asked', 'told', $3)
     ON CONFLICT ON CONSTRAINT invoice_notices_once DO NOTHING RETURNING id`,
    [organizationId, id, found.today],
  );
  if (!claimed) throw financesErrors.already_reminded();
  const type = found.is_past_due ? told.invoice_overdue : told.invoice_due_soon;
  // Whoever asks may be who answers for the chapter: they are told, too.
  await notify(type, [id], { cause: `asked:${found.today}`, actor: null });
  await audit({ action: 'invoice.reminded', subjectType: 'invoice', subjectId: id, after: { on: found.today } });
  return { invoice: id, reminded_on: found.today };
}
