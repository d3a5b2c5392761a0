/**
 * Counts of unread notifications, which clients poll each minute. They count all notifications, not only the newest
 * ones of the list.
 */
import { rows, type Statement } from '../database/rows.js';
import { IS_LISTED } from './listNotifications.js';

/** SQL: the number of unread notifications of `$1`. */
export const UNREAD_COUNT = `SELECT count(*)::int FROM notifications n WHERE ${IS_LISTED} AND n.read_at IS NULL`;

/** Counts a person's unread notifications. */
export const countUnread = (userId: string): Statement => ({
  text: `SELECT (${UNREAD_COUNT}) AS count`,
  values: [userId],
  prepared: true,
});

/** Counts a person's unread notifications that require an action. */
export const countActionRequired = (userId: string): Statement => ({
  text: `SELECT (${UNREAD_COUNT} AND n.requires_action) AS count`,
  values: [userId],
  prepared: true,
});

export interface AlertSummary {
  notifications: number;
  /** Requests and cases of forums that wait for this person's decision. */
  approvals: number;
  compliance: number;
}

const ADMINISTERS = `EXISTS (SELECT FROM organization_admins o
  WHERE o.organization_id = (SELECT app.org_id()) AND o.user_id = $1 AND o.is_active)`;
const ADMINISTERS_REGION = `a.chapter_id IN (SELECT c.id FROM chapters c JOIN regional_admins r
    ON r.organization_id = c.organization_id AND r.region_id = c.region_id AND r.user_id = $1 AND r.is_active
  WHERE c.organization_id = (SELECT app.org_id()))`;

/**
 * SQL for a FROM clause: the requests `a` that `$1` may decide on, except requests that `$1` has made. The EXISTS
 * subqueries do not depend on the request, so Postgres evaluates them once. Admins of the organization decide hand-overs
 * in every tier.
 * @param decidesAll SQL of whether `$1` may decide on all requests of the organization
 */
export const decidableApprovals = (decidesAll = 'false'): string => `waiting_approvals a
  WHERE a.organization_id = (SELECT app.org_id()) AND a.requested_by IS DISTINCT FROM $1 AND (${decidesAll} OR CASE a.tier
    WHEN 'organization' THEN ${ADMINISTERS}
    WHEN 'regional' THEN ${ADMINISTERS_REGION} OR (a.kind = 'hand_over' AND ${ADMINISTERS})
    WHEN 'regional_or_organization' THEN ${ADMINISTERS} OR ${ADMINISTERS_REGION}
    WHEN 'officer' THEN a.chapter_id IN (SELECT m.chapter_id FROM memberships m
      WHERE m.organization_id = (SELECT app.org_id()) AND m.user_id = $1 AND app.leads_chapter(m.role, m.status)) END)`;

/** Returns the counts of the header. There are no compliance items yet, so their count is 0. */
export const alertSummary = (userId: string): Statement => ({
  text: `SELECT (${UNREAD_COUNT}) AS notifications, (SELECT count(*)::int FROM ${decidableApprovals()}) + app.count_forum_cases((SELECT app.org_id()), $1) AS approvals, 0 AS compliance`,
  values: [userId],
  prepared: true,
});

/** Runs a statement that returns one row, and returns the row. */
export async function readStatementRow<Row>({ text, values }: Statement): Promise<Row> {
  const [row] = await rows<Row>(text, values);
  return row as Row;
}
