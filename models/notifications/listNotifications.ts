import { limitOf, type PageRequest } from '../database/page.js';
import type { Statement } from '../database/rows.js';
import type { Category } from './eventTypes.js';

export interface NotificationQuery extends PageRequest {
  recipientId: string;
  category?: Category | undefined;
  requiresAction?: boolean | undefined;
  isRead?: boolean | undefined;
  /** Lists only notifications older than the one with this id. */
  before?: string | undefined;
}

/** Maximum length of the list. It is no archive, and shows only the newest notifications that match. */
const MAX_LISTED = 50;

/**
 * Returns an SQL condition: the recipient of `n` may still see it. This holds if they were notified personally, or
 * still hold the office through which they were notified.
 * @param offices SQL of `app.offices_of` the recipient; as a subquery it is evaluated once, and only if a row needs it
 */
export const isStillVisible = (offices: string): string =>
  `(n.office_of IS NULL OR ${offices} && ARRAY[n.office_of, n.organization_id])`;

/** SQL: whether the row `n` is in the notification list of `$1`. */
export const IS_LISTED = `n.organization_id = (SELECT app.org_id()) AND n.recipient_id = $1 AND n.unlisted_reason IS NULL
  AND ${isStillVisible('(SELECT app.offices_of((SELECT app.org_id()), $1))')}`;

/**
 * SQL for the body that the recipient may read now. Amounts are left out if the recipient was notified through an
 * office that may not see amounts.
 */
const BODY = `CASE WHEN n.body_without_amounts IS NULL OR app.sees_amounts(n.organization_id, n.office_of, n.recipient_id) THEN n.body
  ELSE n.body_without_amounts END`;

const ACTOR_JSON = `CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'first_name', u.first_name, 'last_name', u.last_name) END`;

/** SQL: the columns of a listed notification `n` and its actor `u`. */
export const LIST_COLUMNS = `n.id, n.notification_type, n.event_type, n.category, n.title, ${BODY} AS body, n.target_url,
  n.read_at IS NOT NULL AS is_read, n.read_at, n.requires_action, n.action_label, n.scheduled_for,
  json_build_object('type', n.subject_type, 'id', n.subject_id) AS subject, ${ACTOR_JSON} AS actor, n.created_at`;

/** Returns a statement that lists the newest 50 notifications that match, and counts them. Ids increase with time. */
export function listNotifications(query: NotificationQuery): Statement {
  const { recipientId, category, requiresAction, isRead, before } = query;
  const conditionValues: unknown[] = [recipientId];
  const where = [IS_LISTED];
  if (category !== undefined) where.push(`n.category = $${conditionValues.push(category)}`);
  if (requiresAction !== undefined) where.push(requiresAction ? 'n.requires_action' : 'NOT n.requires_action');
  if (isRead !== undefined) where.push(`n.read_at IS ${isRead ? 'NOT ' : ''}NULL`);
  if (before !== undefined) where.push(`n.id < $${conditionValues.push(before)}`);
  const { limit, values } = limitOf(query, conditionValues);
  const text = `
    WITH newest AS MATERIALIZED (SELECT n.id FROM notifications n WHERE ${where.join(' AND ')} ORDER BY n.id DESC LIMIT ${MAX_LISTED})
    SELECT (SELECT count(*)::int FROM newest) AS count,
           (SELECT coalesce(json_agg(one)::text, '[]') FROM (
              SELECT ${LIST_COLUMNS}
                FROM (SELECT id FROM newest ORDER BY id DESC ${limit}) chosen
                JOIN notifications n ON n.organization_id = (SELECT app.org_id()) AND n.id = chosen.id
                LEFT JOIN users u ON u.id = n.actor_id
               ORDER BY n.id DESC) one) AS results`;
  return { text, values, prepared: true };
}
