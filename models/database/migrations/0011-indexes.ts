import type { Migration } from '../migrate.js';

/** What a hundred thousand members need: see the query plans in test/models/queryPlans. */
export const up: Migration['up'] = async ({ run }) =>
  run(`
    CREATE INDEX invoices_term ON chapter_invoices (organization_id, term_id, due_date, id) WHERE term_id IS NOT NULL;
    -- a chapter's own invoices are few among those of its members
    CREATE INDEX invoices_of_chapters ON chapter_invoices (organization_id, chapter_id, due_date, id) WHERE membership_id IS NULL;
    CREATE INDEX remittances_created ON chapter_remittances (organization_id, created_at, id);
    CREATE INDEX audit_log_time ON audit_log (organization_id, created_at, id);
    -- one subject, whatever its type, and one type, both in the order of ids; the index over type and subject had neither
    CREATE INDEX audit_log_subject_id ON audit_log (organization_id, subject_id, id);
    CREATE INDEX audit_log_subject_type ON audit_log (organization_id, subject_type, id);
    DROP INDEX audit_log_subject;
    ${recompute({ onlyWhatChanged: true })}
  `);

export const down: Migration['down'] = async ({ run }) =>
  run(`
    ${recompute({ onlyWhatChanged: false })}
    CREATE INDEX audit_log_subject ON audit_log (organization_id, subject_type, subject_id, id);
    DROP INDEX audit_log_subject_type, audit_log_subject_id, audit_log_time, remittances_created, invoices_of_chapters, invoices_term;
  `);

const STATUS = `CASE WHEN i.status = 'void' THEN 'void' WHEN s.due = 0 AND s.total > 0 THEN 'paid'
                      WHEN i.overdue_at IS NOT NULL THEN 'overdue'
                      WHEN s.paid - s.overpaid + s.credit > 0 THEN 'partially_paid' ELSE 'open' END`;

/**
 * As in 0008. An invoice that is right already is not written again: each writing touches all of its indexes.
 * @param overpaid what an entry of credit \`e\` from a payment adds to what of the payments became credit
 */
export const recompute = ({ onlyWhatChanged = true, overpaid = 'app.credit_effect(e)' }): string => `
    CREATE OR REPLACE FUNCTION app.recompute_invoices(ids uuid[]) RETURNS void LANGUAGE sql AS $$
      UPDATE chapter_invoices i SET
        total_cents = s.total, discount_cents = s.discount, credit_cents = s.credit, paid_cents = s.paid,
        overpaid_cents = s.overpaid, balance_due_cents = s.due,
        status = ${STATUS},
        paid_at = CASE WHEN i.status <> 'void' AND s.due = 0 AND s.total > 0 THEN coalesce(i.paid_at, now()) END
      FROM (
        SELECT x.id, x.organization_id, l.total, d.discount, c.credit, c.overpaid, p.paid,
               CASE x.status WHEN 'void' THEN 0
                 ELSE greatest(l.total - d.discount - c.credit - p.paid + c.overpaid, 0) END AS due
          FROM chapter_invoices x
          CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents), 0)::bigint AS total FROM invoice_line_items
            WHERE organization_id = x.organization_id AND invoice_id = x.id) l
          CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents), 0)::bigint AS discount FROM invoice_discounts
            WHERE organization_id = x.organization_id AND invoice_id = x.id AND voided_at IS NULL) d
          CROSS JOIN LATERAL (
            SELECT coalesce(-sum(app.credit_effect(e)) FILTER (WHERE root.kind = 'applied'), 0)::bigint AS credit,
                   coalesce(sum(${overpaid}) FILTER (WHERE root.kind <> 'applied' AND root.payment), 0)::bigint AS overpaid
              FROM chapter_account_credits e
              LEFT JOIN chapter_account_credits o ON o.organization_id = e.organization_id AND o.id = e.reverses
              CROSS JOIN LATERAL (SELECT coalesce(o.kind, e.kind) AS kind,
                coalesce(o.payment_record_id, e.payment_record_id) IS NOT NULL AS payment) root
             WHERE e.organization_id = x.organization_id AND e.invoice_id = x.id) c
          CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents - refunded_cents), 0)::bigint AS paid FROM payment_records
            WHERE organization_id = x.organization_id AND invoice_id = x.id AND status = 'succeeded') p
         WHERE x.id = ANY(ids)) s
      WHERE i.organization_id = s.organization_id AND i.id = s.id${onlyWhatChanged ? CHANGED : ''} $$;`;

const CHANGED = `
        AND (i.total_cents, i.discount_cents, i.credit_cents, i.paid_cents, i.overpaid_cents, i.balance_due_cents, i.status)
          IS DISTINCT FROM (s.total, s.discount, s.credit, s.paid, s.overpaid, s.due, ${STATUS})`;
