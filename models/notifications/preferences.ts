/** By which ways somebody hears of each event. */
import { currentOrganization, rows } from '../database/rows.js';
import { type Category, CATEGORY_OF, EVENT_TYPES, type EventType, LOCKED_EVENT } from './eventTypes.js';
import { choices, wanted } from './statements.js';

export interface Preference {
  event_type: EventType;
  in_app_enabled: boolean;
  email_enabled: boolean;
  push_enabled: boolean;
}

export interface ShownPreference extends Preference {
  category: Category;
  /** In-app and mail cannot be switched off. */
  locked: boolean;
}

/** What holds for somebody, for every event type: their own choice, else the organization's, else the platform's. */
export async function readPreferences(userId: string): Promise<ShownPreference[]> {
  const held = await rows<Preference>(
    `SELECT n.event_type, ${wanted('in_app')} AS in_app_enabled, ${wanted('email')} AS email_enabled,
            ${wanted('push')} AS push_enabled
       FROM (SELECT $1::uuid AS organization_id, $2::uuid AS recipient_id, event_type
               FROM unnest($3::text[]) AS event_type) n ${choices()}`,
    [currentOrganization(), userId, EVENT_TYPES],
  );
  const byEvent = new Map(held.map((one) => [one.event_type, one]));
  return EVENT_TYPES.map((event) => ({
    ...(byEvent.get(event) as Preference),
    category: CATEGORY_OF[event],
    locked: event === LOCKED_EVENT,
  }));
}

/** Ways that are left out stay as they are. */
export type PreferenceChange = { event_type: EventType } & {
  [Way in Exclude<keyof Preference, 'event_type'>]?: boolean | undefined;
};

/** SQL of what `$3` says. */
const GIVEN = `jsonb_to_recordset($3::jsonb)
  AS given (event_type text, in_app_enabled boolean, email_enabled boolean, push_enabled boolean)`;

/**
 * Keeps somebody's choices, all or none. Who chooses another way at the same time, or ends mail by a link, loses nothing: what
 * is left out is as it is once the row is this one's. @throws Refusal preference_locked
 */
export async function savePreferences(userId: string, changes: readonly PreferenceChange[]): Promise<void> {
  await rows(
    `INSERT INTO notification_preferences AS kept (organization_id, user_id, event_type, in_app_enabled, email_enabled, push_enabled)
     SELECT n.organization_id, n.recipient_id, n.event_type, coalesce(n.in_app_enabled, ${wanted('in_app')}),
            coalesce(n.email_enabled, ${wanted('email')}), coalesce(n.push_enabled, ${wanted('push')})
       FROM (SELECT $1::uuid AS organization_id, $2::uuid AS recipient_id, given.* FROM ${GIVEN}) n ${choices()}
      ORDER BY n.event_type
     ON CONFLICT ON CONSTRAINT notification_preferences_once DO UPDATE
       SET (in_app_enabled, email_enabled, push_enabled) = (
         SELECT coalesce(given.in_app_enabled, kept.in_app_enabled), coalesce(given.email_enabled, kept.email_enabled),
                coalesce(given.push_enabled, kept.push_enabled)
           FROM ${GIVEN} WHERE given.event_type = kept.event_type)`,
    [currentOrganization(), userId, JSON.stringify(changes)],
  );
}
