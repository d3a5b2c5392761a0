/** SQL that both the creation and the delivery of notifications use. */
import { isErased } from '../identity/deletion/erased.js';
import { CRITICAL_EVENTS, type PreferenceChannel } from './eventTypes.js';
import { ADMINS, type NotificationType } from './types.js';

/** Returns an SQL string literal. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * Returns SQL for a FROM clause that selects the recipients of a notification type. The query must have a row `s` with
 * organization_id and subject_id.
 */
export const recipientsSql = (recipients: string): string =>
  recipients === ADMINS ? `app.${ADMINS}(s.organization_id)` : `app.${recipients}(s.organization_id, s.subject_id)`;

/**
 * Returns SQL for the facts that fill the texts of notification `n`; null if the recipient may not see them.
 * @param name SQL of the type's name
 * @param cause SQL of the cause
 */
export const factsSql = (
  { facts, factsOfCause, ...type }: NotificationType,
  name = quoted(type.name),
  cause = 'n.cause',
): string =>
  `(SELECT known.facts FROM app.${facts}(n.organization_id, n.subject_id, n.recipient_id, ${name}${factsOfCause ? `, ${cause}` : ''}) known)`;

/** SQL: the cause of a stored notification `n`, which is the end of its event id. */
const STORED_CAUSE = 'substr(n.event_id, length(n.subject_type) + length(n.subject_id::text) + 3)';

/**
 * Returns SQL for the facts of a stored notification `n`, which has one of the given types. Each facts function appears
 * only once, so that planning is faster.
 */
export function factsByType(types: readonly NotificationType[]): string {
  const branches = types.map((type) => {
    const sharing = types.filter(({ facts }) => facts === type.facts);
    const names = sharing.map(({ name }) => quoted(name)).join(', ');
    return `WHEN n.notification_type IN (${names}) THEN ${factsSql(type, 'n.notification_type', STORED_CAUSE)}`;
  });
  return `CASE ${[...new Set(branches)].join(' ')} ELSE '{}'::jsonb END`;
}

/**
 * SQL: whether the recipient has access: a membership or an office that gives access, and an account that is not
 * disabled.
 */
export const HAS_ACCESS = `(EXISTS (SELECT FROM affiliations a WHERE a.user_id = n.recipient_id AND a.organization_id = n.organization_id)
  AND NOT EXISTS (SELECT FROM users u WHERE u.id = n.recipient_id AND u.disabled_at IS NOT NULL))`;

/**
 * Returns SQL for the default of a channel: the organization's default from `d`, or the platform's default if the
 * organization has none.
 */
export const defaultOf = (way: PreferenceChannel, event: string): string =>
  `coalesce(d.${way}_enabled, app.builtin_preference(${event}, '${way}'))`;

/**
 * Returns SQL for the value of a channel that applies: the recipient's own choice from `p`, or the default if they have
 * not chosen.
 */
export const effectivePreference = (way: PreferenceChannel, event = 'n.event_type'): string =>
  `coalesce(p.${way}_enabled, ${defaultOf(way, event)})`;

/** Returns SQL that joins the recipient's own preference as `p` and the organization's default as `d`. */
export const preferenceJoins = (event = 'n.event_type'): string => `
  LEFT JOIN notification_preferences p
    ON p.organization_id = n.organization_id AND p.user_id = n.recipient_id AND p.event_type = ${event}
  LEFT JOIN notification_defaults d ON d.organization_id = n.organization_id AND d.event_type = ${event}`;

export const INTO_NOTIFICATIONS = `INSERT INTO notifications (organization_id, recipient_id, event_id, notification_type,
  event_type, title, body, target_url, subject_type, subject_id, actor_id, requires_action, action_label, needs_access,
  unlisted_reason, scheduled_for, office_of, body_without_amounts)`;

/**
 * SQL for the id of the chapter or organization in which the recipient holds the office that lets them see the facts
 * `f`. Null if they may see the facts without an office.
 */
export const OFFICE_OF = `(f.facts ->> 'office_of')::uuid`;

/**
 * Returns SQL for the body without amounts. Null if the body has no amounts, or if the recipient sees the facts in
 * another way than through a chapter office.
 * @param body SQL of the type's template
 */
export const bodyWithoutAmounts = (body: string): string =>
  `CASE WHEN ${OFFICE_OF} <> n.organization_id
    THEN nullif(app.fill_text(${body}, app.without_amounts(f.facts), 500), app.fill_text(${body}, f.facts, 500)) END`;

/**
 * Returns SQL for the path of the page to which a notification links; '/' if the recipient may not see the facts. Calls
 * `fill_text` only for a path with placeholders, which saves time for each row.
 */
const pathOf = ({ path }: NotificationType): string =>
  path.includes('{')
    ? `coalesce(app.fill_text(${quoted(path)}, f.facts || jsonb_build_object('subject', n.subject_id), 500), '/')`
    : `CASE WHEN f.facts IS NULL THEN '/' ELSE ${quoted(path)} END`;

/**
 * Returns SQL that selects the notifications to insert for a fact, one for each person. Skips people who already have a
 * notification of the fact, and people whose data was erased. The notifications are inserted in the order of ids, so
 * that concurrent transactions do not deadlock.
 * @param people a query for organization_id, subject_id, recipient_id, actor_id and cause
 * @param which who gets a notification: everybody, or only people who may see the fact now
 */
export const ROWS_OF_PEOPLE = (
  type: NotificationType,
  people: string,
  which: 'everybody' | 'who may see it' = type.skipsUnseen ? 'who may see it' : 'everybody',
): string => {
  const event = quoted(type.event);
  // Title for a person who may not see the fact: only the name of the type.
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
              WHEN NOT ${effectivePreference('in_app', event)} THEN 'preference_off' END,
         ${CRITICAL_EVENTS.has(type.event) ? 'NULL' : 'app.quiet_until(n.recipient_id, now())'},
         ${OFFICE_OF}, ${bodyWithoutAmounts(quoted(type.body))}
    FROM (${people}) n ${preferenceJoins(event)}
   CROSS JOIN LATERAL (SELECT ${factsSql(type)} AS facts OFFSET 0) f
   WHERE (SELECT NOT ${isErased('gone')} FROM users gone WHERE gone.id = n.recipient_id)
     ${which === 'everybody' ? '' : 'AND f.facts IS NOT NULL'}
   ORDER BY n.subject_id, n.recipient_id
  ON CONFLICT ON CONSTRAINT notifications_once DO NOTHING`;
};
