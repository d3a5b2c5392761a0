/** SQL that plans who is billed which amount for a term; the preview and the commit share it. */

/**
 * SQL of CTEs up to `plan` (one row per invoice line), for organization `$1` and term `$2`. The plan bills members of
 * active chapters whose status has a rate. It skips members who are already covered in this term by their own invoice
 * or their chapter's, regardless of the present billing mode, and members who were billed at a chapter that they have
 * since left.
 * @param only SQL condition for the memberships `m` to consider; default: all
 */
export const duesPlanSql = (only = 'true'): string => `
  mode AS (
    SELECT c.id AS chapter_id, c.name,
           coalesce((SELECT o.billing_mode FROM chapter_billing_overrides o
                       JOIN terms t ON t.organization_id = o.organization_id AND t.id = o.effective_term_id
                      WHERE o.organization_id = c.organization_id AND o.chapter_id = c.id
                        AND t.starts_on <= (SELECT starts_on FROM terms WHERE organization_id = $1 AND id = $2)
                      ORDER BY t.starts_on DESC LIMIT 1),
                    (SELECT billing_mode FROM org_dues_settings WHERE organization_id = $1), 'bill_member') AS billing_mode
      FROM chapters c WHERE c.organization_id = $1 AND c.status = 'active'),
  issued AS (
    SELECT chapter_id, membership_id, coalesce((SELECT d.created_at FROM dues_runs d WHERE d.id = dues_run_id), created_at) AS counted_at
      FROM chapter_invoices
     WHERE organization_id = $1 AND term_id = $2 AND is_recurring AND status <> 'void'),
  billed_before AS (
    SELECT DISTINCT m.user_id FROM issued JOIN memberships m ON m.organization_id = $1 AND m.id = issued.membership_id
     WHERE m.status = 'inactive'
    UNION
    -- A chapter's invoice does not name the members it covers. They are the members whose status, when the invoice was
    -- issued, had a rate.
    SELECT m.user_id FROM issued JOIN memberships m ON m.organization_id = $1 AND m.chapter_id = issued.chapter_id AND m.status = 'inactive'
     CROSS JOIN LATERAL (SELECT p.status FROM membership_periods p
        WHERE p.organization_id = $1 AND p.membership_id = m.id AND p.created_at <= issued.counted_at ORDER BY p.ordinal DESC LIMIT 1) was
      JOIN dues_rates r ON r.organization_id = $1 AND r.term_id = $2 AND r.status = was.status
     WHERE issued.membership_id IS NULL),
  candidates AS MATERIALIZED (
    SELECT m.id AS membership_id, m.chapter_id, m.user_id, m.status, r.amount_cents, mode.billing_mode,
           own.membership_id IS NOT NULL OR chapters.chapter_id IS NOT NULL OR b.user_id IS NOT NULL AS covered
      FROM memberships m
      JOIN mode ON mode.chapter_id = m.chapter_id
      JOIN dues_rates r ON r.organization_id = $1 AND r.term_id = $2 AND r.status = m.status
      LEFT JOIN issued own ON own.membership_id = m.id
      LEFT JOIN billed_before b ON b.user_id = m.user_id
      LEFT JOIN issued chapters ON chapters.membership_id IS NULL AND chapters.chapter_id = m.chapter_id
     WHERE m.organization_id = $1 AND ${only}),
  plan AS MATERIALIZED (
    SELECT chapter_id, membership_id, user_id, status, 1 AS quantity, amount_cents
      FROM candidates WHERE NOT covered AND billing_mode = 'bill_member'
    UNION ALL
    SELECT chapter_id, NULL, NULL, status, count(*)::int, amount_cents
      FROM candidates WHERE NOT covered AND billing_mode = 'bill_chapter' GROUP BY chapter_id, status, amount_cents)`;

/**
 * SQL: the hash of all rows of `source` (sorted, so that their order does not matter), term `$2`, due date `$3`, and
 * whether payers are notified.
 * @param notify SQL of whether payers are notified
 */
export const planHashSql = (source: string, notify = 'true'): string => `(
  SELECT encode(sha256(convert_to($2::uuid::text || '|' || $3::date::text || CASE WHEN ${notify} THEN '' ELSE '|silent' END || coalesce(string_agg(
           concat_ws('|', chapter_id, coalesce(membership_id::text, '-'), status, quantity, amount_cents), E'\\n'
           ORDER BY chapter_id, membership_id NULLS FIRST, status COLLATE "C"), ''), 'UTF8')), 'hex')
    FROM ${source})`;
