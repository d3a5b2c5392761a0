import { queryPrepared } from '../../database/preparedQuery.js';
import { type Page, type PageRequest, requirePage } from '../../database/page.js';
import type { Statement } from '../../database/rows.js';
import { pageOfChapter } from '../../organizations/chapters.js';
import { anyLike, containing } from '../../organizations/search.js';
import { FORMER_STATUSES, type MembershipStatus } from '../../organizations/vocabulary.js';
import { IS_DELINQUENT, IS_OWED, WAS_BILLED } from './standing.js';

/** States of a member's account, by priority: a member has the first state that applies. */
export const BUCKETS = ['delinquent', 'pending_request', 'on_plan', 'due', 'credit', 'settled', 'none'] as const;
export type Bucket = (typeof BUCKETS)[number];

export interface RosterRow {
  membership: string;
  name: string;
  status: MembershipStatus;
  /** Whether the membership ended: the member graduated, was disaffiliated, was transferred or is inactive. */
  is_former: boolean;
  bucket: Bucket;
  open_invoices: number;
  /** Number of open invoices that are past due. */
  overdue_invoices: number;
  oldest_due_date: string | null;
  balance_cents: number | null;
  credit_cents: number | null;
  plan: { next_due_date: string | null; is_late: boolean } | null;
  freeze_expires_at: string | null;
}

/** A page of the roster, and whether officers see its amounts. */
export type CollectionRosterPage = Page<RosterRow> & { officers_see_amounts: boolean };

export interface CollectionRosterQuery extends PageRequest {
  chapter: string;
  bucket?: Bucket | undefined;
  /** Search in members' names. */
  search?: string | undefined;
}

/**
 * SQL: whether any refund is pending. It is evaluated once, so that reserved credit is computed per member only if
 * there is any.
 */
const ANY_REFUND_PENDING = `(SELECT EXISTS (SELECT FROM refunds r WHERE r.organization_id = (SELECT app.org_id()) AND r.finished_at IS NULL))`;

/**
 * SQL of the roster's CTEs. Debts and credit (`app.credit_balance` of each member) are summed once for the chapter; for
 * members with neither, only the existence of invoices is checked.
 */
const ROSTER = `
  owed AS (
    SELECT i.membership_id, count(*)::int AS open_invoices, sum(i.balance_due_cents)::bigint AS balance_cents,
           (count(*) FILTER (WHERE i.due_date < (SELECT app.today())))::int AS overdue_invoices,
           min(i.due_date) AS oldest_due_date, bool_or(${IS_DELINQUENT}) AS is_delinquent
      FROM chapter_invoices i
     WHERE i.organization_id = (SELECT app.org_id()) AND i.chapter_id = $1 AND i.membership_id IS NOT NULL AND ${IS_OWED}
     GROUP BY i.membership_id),
  credits AS (
    SELECT c.membership_id, greatest(0, sum(app.credit_effect(c))::bigint - CASE WHEN ${ANY_REFUND_PENDING}
             THEN app.credit_reserved((SELECT app.org_id()), $1, c.membership_id) ELSE 0 END) AS credit_cents
      FROM chapter_account_credits c
     WHERE c.organization_id = (SELECT app.org_id()) AND c.chapter_id = $1 AND c.membership_id IS NOT NULL GROUP BY c.membership_id),
  requests AS (
    SELECT r.membership_id, min(app.day_begins((SELECT timezone FROM organizations WHERE id = (SELECT app.org_id())), r.freeze_anchor + 3))
             FILTER (WHERE r.freeze_anchor + 2 >= (SELECT app.today())) AS freeze_expires_at
      FROM payment_plan_requests r
     WHERE r.organization_id = (SELECT app.org_id()) AND r.chapter_id = $1 AND r.status = 'pending' GROUP BY r.membership_id),
  planned AS (
    SELECT p.membership_id, min(app.first_unmet(p.organization_id, p.id)) AS next_due_date FROM payment_plans p
     WHERE p.organization_id = (SELECT app.org_id()) AND p.chapter_id = $1 AND p.status = 'active' GROUP BY p.membership_id),
  members AS (
    SELECT m.id AS membership, u.first_name || ' ' || u.last_name AS name, lower(u.last_name || ' ' || u.first_name) AS sorted, m.status,
           m.status = ANY($2::text[]) AS is_former,
           CASE WHEN d.is_delinquent THEN 'delinquent' WHEN a.membership_id IS NOT NULL THEN 'pending_request'
                WHEN p.membership_id IS NOT NULL THEN 'on_plan' WHEN d.open_invoices > 0 THEN 'due' WHEN c.credit_cents > 0 THEN 'credit'
                WHEN ${WAS_BILLED} THEN 'settled' ELSE 'none' END AS bucket,
           coalesce(d.open_invoices, 0) AS open_invoices, coalesce(d.overdue_invoices, 0) AS overdue_invoices, d.oldest_due_date,
           coalesce(d.balance_cents, 0) AS balance_cents, coalesce(c.credit_cents, 0) AS credit_cents,
           p.next_due_date, a.freeze_expires_at
      FROM memberships m
      JOIN LATERAL (SELECT first_name, last_name FROM users WHERE users.id = m.user_id OFFSET 0) u ON true
      LEFT JOIN owed d ON d.membership_id = m.id
      LEFT JOIN credits c ON c.membership_id = m.id
      LEFT JOIN requests a ON a.membership_id = m.id
      LEFT JOIN planned p ON p.membership_id = m.id
     WHERE m.organization_id = (SELECT app.org_id()) AND m.chapter_id = $1
       AND (m.status <> ALL($2::text[]) OR d.open_invoices > 0)
       AND ($3::text IS NULL OR ${anyLike([`u.first_name || ' ' || u.last_name`], '$3')})),
  selected AS MATERIALIZED (SELECT * FROM members WHERE $4::text IS NULL OR bucket = $4)`;

const ORDER = `ORDER BY r.bucket = 'delinquent' DESC, r.oldest_due_date NULLS LAST, r.sorted, r.membership`;

/**
 * Lists a chapter's members by the state of their accounts, delinquent members first, and within a state by the oldest
 * due date. The same statement reads whether officers see amounts.
 * @throws Refusal not_found for a chapter that this tenant does not have, page_not_found
 */
export const listCollectionRoster = (query: CollectionRosterQuery): Promise<CollectionRosterPage> =>
  pageOfChapter(query.chapter, readRoster(query));

async function readRoster(query: CollectionRosterQuery): Promise<CollectionRosterPage> {
  const { text, values } = collectionRosterStatement(query);
  const [result] = (await queryPrepared<CollectionRosterPage>(text, values)) as [CollectionRosterPage];
  requirePage(query.page, result.results);
  return result;
}

/**
 * Builds the statement of `listCollectionRoster`, which returns one row. It is a prepared statement, because planning
 * takes as long as executing.
 */
export function collectionRosterStatement({
  chapter,
  bucket,
  search,
  page,
  pageSize,
}: CollectionRosterQuery): Statement {
  const text = `WITH ${ROSTER}
    SELECT (SELECT count(*)::int FROM selected) AS count,
           (SELECT app.officers_see_amounts(app.org_id())) AS officers_see_amounts,
           coalesce((SELECT json_agg(json_build_object('membership', r.membership, 'name', r.name, 'status', r.status,
               'is_former', r.is_former, 'bucket', r.bucket, 'open_invoices', r.open_invoices, 'overdue_invoices', r.overdue_invoices,
               'oldest_due_date', r.oldest_due_date, 'balance_cents', r.balance_cents, 'credit_cents', r.credit_cents,
               'plan', CASE WHEN r.next_due_date IS NOT NULL THEN json_build_object('next_due_date', r.next_due_date,
                 'is_late', r.next_due_date < (SELECT app.today())) END, 'freeze_expires_at', r.freeze_expires_at) ${ORDER})
              FROM (SELECT * FROM selected r ${ORDER} LIMIT $5 OFFSET $6) r), '[]') AS results`;
  const pattern = search ? containing(search) : null;
  return {
    text,
    values: [chapter, FORMER_STATUSES, pattern, bucket ?? null, pageSize, (page - 1) * pageSize],
    prepared: true,
  };
}
