import { currentOrganization, oneRow } from '../../database/rows.js';
import type { ChapterStatus, MembershipStatus } from '../../organizations/vocabulary.js';
import type { BillingMode } from '../dues-settings/OrgDuesSettings.js';
import { preferenceJoins, effectivePreference } from '../../notifications/statements.js';
import { notifications } from '../notifications.js';
import { planHashSql, duesPlanSql } from './plan.js';
import { requirePlannable } from './requirePlannable.js';

/** Maximum member lines in one response; a request for one chapter returns that chapter's lines. */
export const MAX_MEMBER_LINES = 500;

export interface DuesPreview {
  preview_hash: string;
  currency: string;
  totals: {
    chapters: number;
    invoices: number;
    members: number;
    amount_cents: number;
    already_invoiced: number;
    mails: number;
  };
  chapters: {
    chapter: string;
    chapter_name: string;
    billing_mode: BillingMode;
    invoices: number;
    members: number;
    amount_cents: number;
    already_invoiced: number;
    lines: { status: MembershipStatus; quantity: number; unit_amount_cents: number; amount_cents: number }[];
  }[];
  /** Inactive chapters, which are not billed, with the number of members whose status has a rate. */
  not_billed: { chapter: string; chapter_name: string; status: ChapterStatus; members: number }[];
  member_lines: { chapter: string; membership: string; name: string; status: MembershipStatus; amount_cents: number }[];
}

const INVOICE_ISSUED_EVENT = `'${notifications.invoice_issued.event}'`;

const CHAPTERS = `
  chapters_planned AS (
    SELECT mode.chapter_id AS chapter, mode.name AS chapter_name, mode.billing_mode,
           CASE mode.billing_mode WHEN 'bill_chapter' THEN least(c.members, 1) ELSE c.members END AS invoices,
           c.members, c.amount_cents, c.already_invoiced,
           (SELECT coalesce(json_agg(l ORDER BY l.status COLLATE "C"), '[]') FROM (
              SELECT status, sum(quantity)::int AS quantity, amount_cents AS unit_amount_cents, sum(quantity * amount_cents)::bigint AS amount_cents
                FROM plan WHERE plan.chapter_id = mode.chapter_id GROUP BY status, plan.amount_cents) l) AS lines
      FROM mode
      JOIN (SELECT chapter_id, (count(*) FILTER (WHERE NOT covered))::int AS members,
                   (count(*) FILTER (WHERE covered))::int AS already_invoiced,
                   coalesce(sum(amount_cents) FILTER (WHERE NOT covered), 0)::bigint AS amount_cents
              FROM candidates GROUP BY chapter_id) c ON c.chapter_id = mode.chapter_id)`;

/**
 * SQL: the number of mails: members who receive mail about new invoices, plus billed chapters, each of which notifies
 * one person.
 */
const MAILS = `
  SELECT (SELECT count(*) FROM chapters_planned WHERE billing_mode = 'bill_chapter' AND invoices > 0)
    + (SELECT count(*) FROM (SELECT $1::uuid AS organization_id, user_id AS recipient_id FROM plan WHERE membership_id IS NOT NULL) n
         ${preferenceJoins(INVOICE_ISSUED_EVENT)} WHERE ${effectivePreference('email', INVOICE_ISSUED_EVENT)})`;

/**
 * Returns what a run would issue, and the hash to confirm it with. Changes nothing.
 * @param notify whether payers would be notified
 * @param chapter limits the member lines (not the totals) to one chapter
 * @throws Refusal validation_error
 */
export async function previewDuesRun(
  term: string,
  dueDate: string,
  chapter: string | null,
  notify = true,
): Promise<DuesPreview> {
  await requirePlannable(term, dueDate);
  const { json } = await oneRow<{ json: DuesPreview }>(
    `WITH ${duesPlanSql()}, ${CHAPTERS}
     SELECT json_build_object(
       'preview_hash', ${planHashSql('plan', '$6::boolean')},
       'currency', coalesce((SELECT currency FROM org_dues_settings WHERE organization_id = $1), 'usd'),
       'totals', (SELECT json_build_object('chapters', count(*) FILTER (WHERE invoices > 0), 'invoices', coalesce(sum(invoices), 0),
           'members', coalesce(sum(members), 0), 'amount_cents', coalesce(sum(amount_cents), 0),
           'already_invoiced', coalesce(sum(already_invoiced), 0), 'mails', CASE WHEN $6 THEN (${MAILS}) ELSE 0 END) FROM chapters_planned),
       'chapters', (SELECT coalesce(json_agg(c ORDER BY c.chapter_name, c.chapter), '[]') FROM chapters_planned c),
       'not_billed', (SELECT coalesce(json_agg(n ORDER BY n.chapter_name, n.chapter), '[]') FROM (
           SELECT c.id AS chapter, c.name AS chapter_name, c.status, count(*)::int AS members FROM chapters c
             JOIN memberships m ON m.organization_id = c.organization_id AND m.chapter_id = c.id
             JOIN dues_rates r ON r.organization_id = m.organization_id AND r.term_id = $2 AND r.status = m.status
            WHERE c.organization_id = $1 AND c.status <> 'active' GROUP BY c.id, c.name, c.status) n),
       'member_lines', (SELECT coalesce(json_agg(l), '[]') FROM (
           SELECT p.chapter_id AS chapter, p.membership_id AS membership, u.first_name || ' ' || u.last_name AS name, p.status, p.amount_cents
             FROM (SELECT * FROM plan WHERE membership_id IS NOT NULL AND ($4::uuid IS NULL OR chapter_id = $4)
                    ORDER BY chapter_id, membership_id LIMIT $5) p
             JOIN users u ON u.id = p.user_id
            ORDER BY p.chapter_id, p.membership_id) l)) AS json`,
    [currentOrganization(), term, dueDate, chapter, MAX_MEMBER_LINES + 1, notify],
  );
  return json;
}
