import { limitOf, type PageRequest } from '../database/page.js';
import type { Statement } from '../database/rows.js';
import type { Category } from './eventTypes.js';

export interface NotificationQuery extends PageRequest {
  recipientId: string;
  category?: Category | undefined;
  requiresAction?: boolean | undefined;
  isRead?: boolean | undefined;
  /** Only those before this one. */
  before?: string | undefined;
}

/** The list is no archive: of all that match it has the newest. */
const NEWEST = 50;

/**
 * SQL: whether the recipient of `n` may still see it: it is their own, or they hold the office through which they were told.
 * @param offices SQL of `app.offices_of` the recipient; a subquery is read only where a row needs it, and once
 */
export const stillSeen = (offices: string): string =>
  `(n.office_of IS NULL OR ${offices} && ARRAY[n.office_of, n.organization_id])`;

/** SQL: what is in the bell of `$1`. `n` is the row. */
export const LISTED = `n.organization_id = (SELECT app.org_id()) AND n.recipient_id = $1 AND n.unlisted_reason IS NULL
  AND ${stillSeen('(SELECT app.offices_of((SELECT app.org_id()), $1))')}`;

/** SQL of the body as the recipient may read it now: without amounts where their office does not show any. */
const BODY = `CASE WHEN n.body_without_amounts IS NULL OR app.sees_amounts(n.organization_id, n.office_of, n.recipient_id) THEN n.body
  ELSE n.body_without_amounts END`;

const NAMED = `CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'first_name', u.first_name, 'last_name', u.last_name) END`;

/** What is shown of a notification `n` and its actor `u`. */
export const SHOWN = `n.id, n.notification_type, n.event_type, n.category, n.title, ${BODY} AS body, n.target_url,
  n.read_at IS NOT NULL AS is_read, n.read_at, n.requires_action, n.action_label, n.scheduled_for,
  json_build_object('type', n.subject_type, 'id', n.subject_id) AS subject, ${NAMED} AS actor, n.created_at`;

/** A page of the newest 50 that match, and how many these are. Ids are in the order of time. */
export function listNotifications(query: NotificationQuery): Statement {
  const { recipientId, category, requiresAction, isRead, before } = query;
  const given: unknown[] = [recipientId];
  const where = [LISTED];
  if (category !== undefined) where.push(`n.category = $${given.push(category)}`);
  if (requiresAction !== undefined) where.push(requiresAction ? 'n.requires_action' : 'NOT n.requires_action');
  if (isRead !== undefined) where.push(`n.read_at IS ${isRead ? 'NOT ' : ''}NULL`);
  if (before !== undefined) where.push(`n.id < $${given.push(before)}`);
  const { limit, values } = limitOf(query, given);
  const text = `
    WITH newest AS MATERIALIZED (SELECT n.id FROM notifications n WHERE ${where.join(' AND ')} ORDER BY n.id DESC LIMIT ${NEWEST})
    SELECT (SELECT count(*)::int FROM newest) AS count,
           (SELECT coalesce(json_agg(one)::text, '[]') FROM (
              SELECT ${SHOWN}
                FROM (SELECT id FROM newest ORDER BY id DESC ${limit}) chosen
                JOIN notifications n ON n.organization_id = (SELECT app.org_id()) AND n.id = chosen.id
                LEFT JOIN users u ON u.id = n.actor_id
               ORDER BY n.id DESC) one) AS results`;
  return { text, values, kept: true };
}
