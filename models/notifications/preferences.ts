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

/** Keeps somebody's choices, all or none. @throws Refusal preference_locked */
export async function savePreferences(userId: string, changes: readonly PreferenceChange[]): Promise<void> {
  await rows(
    `INSERT INTO notification_preferences AS kept (organization_id, user_id, event_type, in_app_enabled, email_enabled, push_enabled)
     SELECT n.organization_id, n.recipient_id, n.event_type, coalesce(n.in_app_enabled, ${wanted('in_app')}),
            coalesce(n.email_enabled, ${wanted('email')}), coalesce(n.push_enabled, ${wanted('push')})
       FROM (SELECT $1::uuid AS organization_id, $2::uuid AS recipient_id, given.*
               FROM jsonb_to_recordset($3::jsonb) AS given (event_type text, in_app_enabled boolean,
                 email_enabled boolean, push_enabled boolean)) n ${choices()}
      ORDER BY n.event_type
     ON CONFLICT ON CONSTRAINT notification_preferences_once DO UPDATE SET in_app_enabled = excluded.in_app_enabled,
       email_enabled = excluded.email_enabled, push_enabled = excluded.push_enabled`,
    [currentOrganization(), userId, JSON.stringify(changes)],
  );
}
