import type { Migration } from '../../schemaFiles.js';

/** Subjects of notifications that only administrators receive. */
const OF_ADMINS =
  "('capture','money_case','reconciliation','dispute','credit','terminal_settlement','dues_run','rollover','account_request')";

/**
 * Records through which office a recipient may see a notification, and its body without amounts. For existing rows it
 * is unknown which amounts their bodies name, so officers who see no amounts see none of the body.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE notifications
      ADD COLUMN office_of uuid,
      ADD COLUMN body_without_amounts text CHECK (length(body_without_amounts) <= 500);
    UPDATE notifications n SET office_of = i.chapter_id, body_without_amounts = ''
      FROM chapter_invoices i
     WHERE n.subject_type = 'invoice' AND i.organization_id = n.organization_id AND i.id = n.subject_id AND i.payer_type = 'chapter';
    UPDATE notifications n SET office_of = i.chapter_id, body_without_amounts = ''
      FROM payment_records p JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id
     WHERE n.subject_type = 'payment' AND p.organization_id = n.organization_id AND p.id = n.subject_id AND i.payer_type = 'chapter';
    UPDATE notifications n SET office_of = r.chapter_id, body_without_amounts = ''
      FROM payment_reminders r
     WHERE n.subject_type = 'payment_reminder' AND r.organization_id = n.organization_id AND r.id = n.subject_id
       AND r.membership_id IS NULL;
    UPDATE notifications n SET office_of = r.chapter_id, body_without_amounts = ''
      FROM chapter_remittances r
     WHERE n.subject_type = 'remittance' AND r.organization_id = n.organization_id AND r.id = n.subject_id;
    UPDATE notifications SET office_of = organization_id WHERE subject_type IN ${OF_ADMINS};
    DROP INDEX notifications_listed, notifications_unread, notifications_to_act_on;
    CREATE INDEX notifications_listed ON notifications (organization_id, recipient_id, id) INCLUDE (office_of)
      WHERE unlisted_reason IS NULL;
    CREATE INDEX notifications_unread ON notifications (organization_id, recipient_id, id) INCLUDE (office_of)
      WHERE unlisted_reason IS NULL AND read_at IS NULL;
    CREATE INDEX notifications_to_act_on ON notifications (organization_id, recipient_id, id) INCLUDE (office_of)
      WHERE unlisted_reason IS NULL AND read_at IS NULL AND requires_action;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP INDEX notifications_listed, notifications_unread, notifications_to_act_on;
    CREATE INDEX notifications_listed ON notifications (organization_id, recipient_id, id) WHERE unlisted_reason IS NULL;
    CREATE INDEX notifications_unread ON notifications (organization_id, recipient_id, id)
      WHERE unlisted_reason IS NULL AND read_at IS NULL;
    CREATE INDEX notifications_to_act_on ON notifications (organization_id, recipient_id, id)
      WHERE unlisted_reason IS NULL AND read_at IS NULL AND requires_action;
    ALTER TABLE notifications DROP COLUMN office_of, DROP COLUMN body_without_amounts;
  `);
