/** Reads and saves the channels on which a person is notified of each event type. */
import { currentOrganization, rows } from '../database/rows.js';
import {
  type Category,
  CATEGORY_OF,
  EVENT_TYPES,
  type EventType,
  LOCKED_EVENT,
  type PreferenceChannel,
  PREFERENCE_CHANNELS,
} from './eventTypes.js';
import { preferenceJoins, effectivePreference } from './statements.js';

type Channels<Value> = Record<`${PreferenceChannel}_enabled`, Value>;

/**
 * A person's preference for an event type. Each channel has the value that applies: the person's choice, or the default
 * if they have not chosen.
 */
export interface Preference extends Channels<boolean> {
  event_type: EventType;
  /** The person's own choice per channel; null if they have not chosen, so that the default applies. */
  chosen: Channels<boolean | null>;
}

export interface ShownPreference extends Preference {
  category: Category;
  /** Whether the in-app and mail channels cannot be switched off. */
  locked: boolean;
}

const columns = (of: (name: `${PreferenceChannel}_enabled`, way: PreferenceChannel) => string): string =>
  PREFERENCE_CHANNELS.map((way) => of(`${way}_enabled`, way)).join(', ');

/** Returns the person's preference for every event type, in the order of `EVENT_TYPES`. */
export async function readPreferences(userId: string): Promise<ShownPreference[]> {
  const storedPreferences = await rows<Preference>(
    `SELECT n.event_type, ${columns((name, way) => `${effectivePreference(way)} AS ${name}`)},
            json_build_object(${columns((name) => `'${name}', p.${name}`)}) AS chosen
       FROM (SELECT $1::uuid AS organization_id, $2::uuid AS recipient_id, event_type
               FROM unnest($3::text[]) AS event_type) n ${preferenceJoins()}`,
    [currentOrganization(), userId, EVENT_TYPES],
  );
  const byEvent = new Map(storedPreferences.map((one) => [one.event_type, one]));
  return EVENT_TYPES.map((event) => ({
    ...(byEvent.get(event) as Preference),
    category: CATEGORY_OF[event],
    locked: event === LOCKED_EVENT,
  }));
}

/** A change of one event type. Channels that are left out stay as they are; null resets a channel to the default. */
export type PreferenceChange = { event_type: EventType } & Partial<Channels<boolean | null | undefined>>;

const GIVEN = `(SELECT entry, entry ->> 'event_type' AS event_type FROM jsonb_array_elements($3::jsonb) AS entry) given`;

/**
 * SQL for the value of a channel in the submitted entry `given.entry`; null if the entry does not contain the channel.
 */
const given = (name: string): string => `(given.entry ->> '${name}')::boolean`;

/**
 * Saves all of a person's choices, or none if one is refused. A channel that an entry leaves out keeps its value in the
 * locked row. Otherwise a concurrent change of another channel, for example by an unsubscribe link, would be lost.
 * @throws Refusal preference_locked
 */
export async function savePreferences(userId: string, changes: readonly PreferenceChange[]): Promise<void> {
  const names = columns((name) => name);
  await rows(
    `INSERT INTO notification_preferences AS kept (organization_id, user_id, event_type, ${names})
     SELECT $1::uuid, $2::uuid, given.event_type, ${columns(given)} FROM ${GIVEN} ORDER BY given.event_type
     ON CONFLICT ON CONSTRAINT notification_preferences_once DO UPDATE
       SET (${names}) = (
         SELECT ${columns((name) => `CASE WHEN given.entry ? '${name}' THEN ${given(name)} ELSE kept.${name} END`)}
           FROM ${GIVEN} WHERE given.event_type = kept.event_type)`,
    [currentOrganization(), userId, JSON.stringify(changes)],
  );
}
