/** Lists payment plan requests for reviewers, requesters and members. */
import { type Page, type PageQuery, type PageRequest, pageStatement, selectPage } from '../../database/page.js';
import { currentOrganization, firstJson, type Statement } from '../../database/rows.js';
import type { PaymentPlanRequest } from './PaymentPlanRequest.js';
import { PLAN_JSON, type ShownPlan } from './listPlans.js';
import type { PolicyReason } from './policy.js';

export interface ShownPlanRequest {
  id: string;
  invoice: string;
  invoice_description: string;
  invoice_due_date: string;
  /** The balance when the request was filed, in cents. */
  invoice_balance_cents: number | null;
  /** The present balance, in cents. */
  balance_due_cents: number | null;
  chapter: string;
  chapter_name: string;
  member: { membership: string; user: string; name: string };
  requester: { id: string; name: string };
  justification: string;
  status: PaymentPlanRequest['status'];
  installments: { due_date: string; amount_cents: number | null }[];
  is_in_policy: boolean | null;
  policy_reasons: PolicyReason[] | null;
  freeze_expires_at: string | null;
  freeze_seconds_remaining: number | null;
  is_frozen: boolean;
  plan: ShownPlan | null;
  reviewed_by: string | null;
  reviewed_at: string | null;
  review_notes: string | null;
  closed_at: string | null;
  version: number;
  created_at: string;
}

export const ZONE = '(SELECT timezone FROM organizations WHERE id = (SELECT app.org_id()))';
/** SQL over request `r`: whether its freeze is in force, equivalent to `app.invoice_is_frozen`. */
export const IS_FROZEN = `coalesce(r.status = 'pending' AND (SELECT app.today()) <= r.freeze_anchor + 2, false)`;

const COLUMNS = `r.id, r.invoice_id AS invoice, i.description AS invoice_description, i.due_date AS invoice_due_date,
  r.invoice_balance_cents, i.balance_due_cents, r.chapter_id AS chapter, h.name AS chapter_name,
  json_build_object('membership', r.membership_id, 'user', m.user_id, 'name', coalesce(i.payer_name, u.first_name || ' ' || u.last_name)) AS member,
  json_build_object('id', q.id, 'name', q.first_name || ' ' || q.last_name) AS requester,
  r.justification, r.status, r.schedule AS installments, r.is_in_policy, r.policy_reasons,
  thaw.ends AS freeze_expires_at, (CASE WHEN thaw.ends > now() THEN ceil(extract(epoch FROM thaw.ends - now())) WHEN thaw.ends IS NOT NULL THEN 0 END)::int AS freeze_seconds_remaining,
  ${IS_FROZEN} AS is_frozen,
  (SELECT ${PLAN_JSON} FROM payment_plans p WHERE p.organization_id = r.organization_id AND p.request_id = r.id) AS plan,
  r.reviewed_by, r.reviewed_at, r.review_notes, r.closed_at, r.version, r.created_at`;

const JOIN = `JOIN chapter_invoices i ON i.organization_id = r.organization_id AND i.id = r.invoice_id
  JOIN chapters h ON h.organization_id = r.organization_id AND h.id = r.chapter_id
  JOIN memberships m ON m.organization_id = r.organization_id AND m.id = r.membership_id
  JOIN users u ON u.id = m.user_id JOIN users q ON q.id = r.requested_by
  CROSS JOIN LATERAL (SELECT CASE WHEN r.status = 'pending' AND r.freeze_anchor IS NOT NULL
    THEN app.day_begins(${ZONE}, r.freeze_anchor + 3) END AS ends) thaw`;

export interface PlanRequestQuery extends PageRequest {
  status?: PaymentPlanRequest['status'] | undefined;
  /** Lists requests of these chapters only; null or omitted: of the whole organization. */
  chapters?: string[] | null | undefined;
  inPolicy?: boolean | undefined;
  isFrozen?: boolean | undefined;
  memberships?: string[] | undefined;
  /** Only requests that were filed on behalf of the member. */
  isForMember?: true | undefined;
  orderBy: string;
}

/** Lists a page of requests, in one statement. */
export const listPlanRequests = (query: PlanRequestQuery): Promise<Page<ShownPlanRequest>> =>
  selectPage<ShownPlanRequest>(pageQuery(query), { usesGenericPlan: true });

/** Builds the statement of `listPlanRequests`. */
export const planRequestsStatement = (query: PlanRequestQuery): Statement => pageStatement(pageQuery(query));

function pageQuery({ page, pageSize, orderBy, ...filters }: PlanRequestQuery): PageQuery {
  const where = ['r.organization_id = (SELECT app.org_id())'];
  const values: unknown[] = [];
  const add = (condition: string, value: unknown): void => {
    if (value !== undefined && value !== null) where.push(condition.replace('?', `$${values.push(value)}`));
  };
  add('r.status = ?', filters.status);
  add('r.chapter_id = ANY(?::uuid[])', filters.chapters);
  add('r.is_in_policy = ?', filters.inPolicy);
  add(`${IS_FROZEN} = ?`, filters.isFrozen);
  add('r.membership_id = ANY(?::uuid[])', filters.memberships);
  if (filters.isForMember)
    where.push(`r.requested_by <> (SELECT m.user_id FROM memberships m
      WHERE m.organization_id = r.organization_id AND m.id = r.membership_id)`);
  return {
    from: 'payment_plan_requests r',
    where: where.join(' AND '),
    values,
    orderBy,
    key: 'r.id',
    select: COLUMNS,
    join: JOIN,
    page,
    pageSize,
  };
}

/** Reads one request, or null. */
export const readPlanRequest = (id: string): Promise<ShownPlanRequest | null> =>
  firstJson<ShownPlanRequest>(
    `SELECT ${COLUMNS} FROM payment_plan_requests r ${JOIN} WHERE r.organization_id = $2 AND r.id = $1`,
    [id, currentOrganization()],
  );
