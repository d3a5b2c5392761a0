/** SQL that both the making and the delivery of notifications are built of. */
import { isErased } from '../identity/deletion/erased.js';
import { CRITICAL_EVENTS, type Way } from './eventTypes.js';
import type { NotificationType } from './types.js';

/** SQL of a text. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Whether the recipient may come in: a membership or an office that gives access, and an account that stands. */
export const HAS_ACCESS = `(EXISTS (SELECT FROM affiliations a WHERE a.user_id = n.recipient_id AND a.organization_id = n.organization_id)
  AND NOT EXISTS (SELECT FROM users u WHERE u.id = n.recipient_id AND u.disabled_at IS NOT NULL))`;

/** SQL of the default of a channel: the organization's `d`, or else the platform's. */
export const defaultOf = (way: Way, event: string): string =>
  `coalesce(d.${way}_enabled, app.builtin_preference(${event}, '${way}'))`;

/** SQL of the effective value of a channel: the recipient's own choice `p`, or else the default. */
export const wanted = (way: Way, event = 'n.event_type'): string =>
  `coalesce(p.${way}_enabled, ${defaultOf(way, event)})`;

/** Joins `p` and `d`. */
export const choices = (event = 'n.event_type'): string => `
  LEFT JOIN notification_preferences p
    ON p.organization_id = n.organization_id AND p.user_id = n.recipient_id AND p.event_type = ${event}
  LEFT JOIN notification_defaults d ON d.organization_id = n.organization_id AND d.event_type = ${event}`;

export const INTO_NOTIFICATIONS = `INSERT INTO notifications (organization_id, recipient_id, event_id, notification_type,
  event_type, title, body, target_url, subject_type, subject_id, actor_id, requires_action, action_label, needs_access,
  unlisted_reason, scheduled_for, office_of, body_without_amounts)`;

/** SQL of the chapter or the organization through whose office the recipient may see facts `f`; null: in their own right. */
export const OFFICE_OF = `(f.facts ->> 'office_of')::uuid`;

/** SQL of a body without amounts, where it differs and is not the recipient's own. @param body SQL of the type's template */
export const bodyWithoutAmounts = (body: string): string =>
  `CASE WHEN ${OFFICE_OF} <> n.organization_id
    THEN nullif(app.fill_text(${body}, app.without_amounts(f.facts), 500), app.fill_text(${body}, f.facts, 500)) END`;

/** SQL of where it leads, if its recipient may see it. Most paths are the same for everybody, and need not be filled in for each. */
const pathOf = ({ path }: NotificationType): string =>
  path.includes('{')
    ? `coalesce(app.fill_text(${quoted(path)}, f.facts || jsonb_build_object('subject', n.subject_id), 500), '/')`
    : `CASE WHEN f.facts IS NULL THEN '/' ELSE ${quoted(path)} END`;

/**
 * The rows of a fact, a person each; who has been told of it is left alone, and of whoever is erased nothing is kept. Rows are made in the order of ids, so that two
 * who tell the same people do not wait for one another in a circle.
 * @param people a query for organization_id, subject_id, recipient_id, actor_id and cause
 * @param which who gets a row: everybody, or only people who may see the fact now
 */
export const ROWS_OF_PEOPLE = (
  type: NotificationType,
  people: string,
  which: 'everybody' | 'who may see it' = 'everybody',
): string => {
  const event = quoted(type.event);
  // Somebody who may not see it has a row that says no more than what kind of thing it was.
  const unseen = quoted(type.name.replaceAll('_', ' '));
  return `
  SELECT n.organization_id, n.recipient_id, ${quoted(type.subject)} || ':' || n.subject_id || ':' || n.cause,
         ${quoted(type.name)}, ${event},
         coalesce(nullif(app.fill_text(${quoted(type.title)}, f.facts, 200), ''), ${unseen}),
         coalesce(app.fill_text(${quoted(type.body)}, f.facts, 500), ''),
         ${pathOf(type)},
         ${quoted(type.subject)}, n.subject_id, n.actor_id,
         ${type.action !== null}, ${type.action === null ? 'NULL' : quoted(type.action)}, ${type.needsAccess},
         CASE ${type.needsAccess ? `WHEN NOT ${HAS_ACCESS} THEN 'no_access'` : ''}
              WHEN f.facts IS NULL THEN 'withdrawn'
              WHEN n.actor_id = n.recipient_id THEN 'own_action'
              WHEN EXISTS (SELECT FROM notification_mutes m WHERE m.organization_id = n.organization_id
                AND m.user_id = n.recipient_id AND m.subject_type = ${quoted(type.subject)} AND m.subject_id = n.subject_id) THEN 'muted'
              WHEN NOT ${wanted('in_app', event)} THEN 'preference_off' END,
         ${CRITICAL_EVENTS.has(type.event) ? 'NULL' : 'app.quiet_until(n.recipient_id, now())'},
         ${OFFICE_OF}, ${bodyWithoutAmounts(quoted(type.body))}
    FROM (${people}) n ${choices(event)}
   CROSS JOIN LATERAL (SELECT (${type.facts}) AS facts OFFSET 0) f
   WHERE (SELECT NOT ${isErased('gone')} FROM users gone WHERE gone.id = n.recipient_id)
     ${which === 'everybody' ? '' : 'AND f.facts IS NOT NULL'}
   ORDER BY n.subject_id, n.recipient_id
  ON CONFLICT ON CONSTRAINT notifications_once DO NOTHING`;
};
