import { currentOrganization, firstRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { LOCAL_DAY_SQL } from '../overdue/localDay.js';

/** Counts of one day's reminder mails by outcome. */
export interface ReminderMails {
  /** YYYY-MM-DD, in the organization's time zone. */
  day: string;
  workflow_id: string;
  payers: number;
  /** Mails that are not sent yet; a mail server may have deferred them. */
  waiting: number;
  mailed: number;
  /**
   * Mails that were not sent, because the invoices were paid in the meantime, or the recipient wants no mail or does
   * not exist any more.
   */
  skipped: number;
  failed: number;
  /** Mails of which it is unknown whether they arrived. They are not sent again. */
  unknown: number;
}

/**
 * Counts the reminder mails of a day by outcome.
 * @param day day in the organization's time zone, YYYY-MM-DD; null: its current date
 * @throws RowMissing without an organization
 */
export async function readReminderMails(day: string | null): Promise<ReminderMails> {
  const mails = await firstRow<ReminderMails>(
    `SELECT to_char(l.today, 'YYYY-MM-DD') AS day, 'invoice-reminders/' || o.id || '/' || to_char(l.today, 'YYYY-MM-DD') AS workflow_id,
            mails.*
       FROM organizations o CROSS JOIN LATERAL (SELECT coalesce($2::date, ${LOCAL_DAY_SQL}) AS today) l
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS payers,
               (count(*) FILTER (WHERE d.notification_id IS NOT NULL AND d.outcome IS NULL))::int AS waiting,
               (count(*) FILTER (WHERE d.outcome = 'sent'))::int AS mailed,
               (count(*) FILTER (WHERE d.notification_id IS NULL OR d.outcome = 'suppressed'))::int AS skipped,
               (count(*) FILTER (WHERE d.outcome = 'failed'))::int AS failed,
               (count(*) FILTER (WHERE d.outcome = 'unknown'))::int AS unknown
          FROM payment_reminders r
          LEFT JOIN notifications n
            ON n.organization_id = r.organization_id AND n.subject_id = r.id AND n.subject_type = 'payment_reminder'
          LEFT JOIN notification_deliveries d
            ON d.organization_id = n.organization_id AND d.notification_id = n.id AND d.channel = 'email'
         WHERE r.organization_id = o.id AND r.day = l.today) mails
      WHERE o.id = $1`,
    [currentOrganization(), day],
  );
  if (!mails) throw new RowMissing('There is no such organization.');
  return mails;
}
