/**
 * Ten notifications per member: two for each of five invoices. The notifications of the two oldest invoices are read.
 * For each of the two newest invoices, one notification requires an action. All are old, so that no mail is sent.
 */
import type { Client } from 'pg';

export async function insertNotifications(client: Client, organizationId: string): Promise<void> {
  await client.query(
    `INSERT INTO notifications (id, organization_id, recipient_id, event_id, notification_type, event_type, title, body,
       target_url, subject_type, subject_id, requires_action, action_label, needs_access, read_at, created_at)
     SELECT pg_temp.seeded_id('notification', i.at * 10 + told), $1, p.user_id,
            'invoice:' || i.id || CASE told WHEN 1 THEN ':issued' ELSE ':due_soon' END,
            CASE told WHEN 1 THEN 'invoice_issued' ELSE 'invoice_due_soon' END,
            CASE told WHEN 1 THEN 'invoice_issued' ELSE 'invoice_due_soon' END,
            CASE told WHEN 1 THEN 'New invoice: ' ELSE 'Due soon: ' END || i.description,
            '"' || i.description || '" is due on ' || i.due || '.', '/invoices/' || i.id, 'invoice', i.id,
            i.slot >= 4 AND told = 1, CASE WHEN i.slot >= 4 AND told = 1 THEN 'See and pay' END, false,
            CASE WHEN i.slot <= 2 THEN i.issued + 2 END, i.issued + told
       FROM seeding_invoices i CROSS JOIN generate_series(1, 2) AS told
       JOIN seeding_people p ON p.c = i.c AND p.n = i.n
      ORDER BY i.at, told`,
    [organizationId],
  );
}
