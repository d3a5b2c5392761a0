/** The one door: whoever makes something true tells of it here, in the same transaction. */
import { currentScope } from '../database/connection.js';
import { currentOrganization } from '../database/rows.js';
import { makeNotifications } from './makeNotifications.js';
import { ROWS_OF_PEOPLE } from './statements.js';
import type { NotificationType } from './types.js';

/** More people than these are an audience, which a process goes through. */
const MOST_PEOPLE = 200;
/** Facts of one statement. */
const PAGE = 5_000;

interface Telling {
  /** Users, where the type does not say who is told. */
  to?: readonly string[];
  /** Left out: who asked for what the transaction does. Nobody is told of what they did themselves. */
  actor?: string | null;
  /** Left out: as the type says. Tells facts of one kind about one subject apart. */
  cause?: string;
}

/** Facts of one kind, one for each subject. */
type Facts = [type: NotificationType, subjects: readonly string[], telling?: Telling];

/**
 * Tells of facts of one kind, one for each subject, in one statement for up to 5,000. Everybody concerned gets a row,
 * whatever they want to hear of; by which ways it reaches them is decided when it is delivered.
 * @throws Error for more people than one statement should tell
 */
export async function notify(
  type: NotificationType,
  subjects: readonly string[],
  telling: Telling = {},
): Promise<void> {
  for (let from = 0; from < subjects.length; from += PAGE)
    await notifyAll([type, subjects.slice(from, from + PAGE), telling]);
}

/** The same for facts of several kinds that become true together, in one statement for all of them. */
export async function notifyAll(...all: Facts[]): Promise<void> {
  const values: unknown[] = [currentOrganization()];
  const selections = all
    .filter(([, subjects, telling]) => subjects.length > 0 && telling?.to?.length !== 0)
    .map((facts) => rowsOf(facts, (value) => `$${values.push(value)}`));
  await makeNotifications(selections, values);
}

/** @param bound keeps a value and says what it is called in the statement; `$1` is the tenant */
function rowsOf([type, subjects, telling = {}]: Facts, bound: (value: unknown) => string): string {
  const { to, cause = type.cause, actor = currentScope().origin.userId } = telling;
  if ((to?.length ?? 0) > MOST_PEOPLE) throw new Error(`Too many people at once: ${type.name} wants an audience.`);
  const people = to ? `SELECT unnest(${bound(to)}::uuid[]) AS user_id` : type.recipients;
  if (people === null) throw new Error(`Nobody says who is told of ${type.name}.`);
  return ROWS_OF_PEOPLE(
    type,
    `SELECT s.organization_id, s.subject_id, who.user_id AS recipient_id, ${bound(actor)}::uuid AS actor_id,
            ${bound(cause)}::text AS cause
       FROM (SELECT $1::uuid AS organization_id, given.id AS subject_id FROM unnest(${bound(subjects)}::uuid[]) AS given (id)) s
      CROSS JOIN LATERAL (SELECT DISTINCT told.user_id FROM (${people}) told WHERE told.user_id IS NOT NULL) who`,
  );
}
