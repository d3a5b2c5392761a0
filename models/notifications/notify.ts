/** The one door: whoever makes something true tells of it here, in the same transaction. */
import { currentScope } from '../database/connection.js';
import { currentOrganization, rows } from '../database/rows.js';
import { INTO_NOTIFICATIONS, ROWS_OF_PEOPLE } from './statements.js';
import type { NotificationType } from './types.js';

/** More people than these are an audience, which a process goes through. */
const MOST_PEOPLE = 200;
/** More facts than these are a page. */
const MOST_SUBJECTS = 1_000;

interface Telling {
  /** Users, where the type does not say who is told. */
  to?: readonly string[];
  /** Left out: who asked for what the transaction does. Nobody is told of what they did themselves. */
  actor?: string | null;
  /** Left out: as the type says. Tells facts of one kind about one subject apart. */
  cause?: string;
}

/**
 * Tells of facts of one kind, one for each subject, in one statement. Everybody concerned gets a row, whatever they
 * want to hear of; by which ways it reaches them is decided when it is delivered.
 * @throws Error for more people or facts than one statement should tell of
 */
export async function notify(
  type: NotificationType,
  subjects: readonly string[],
  telling: Telling = {},
): Promise<void> {
  const { to, cause = type.cause, actor = currentScope().origin.userId } = telling;
  if (subjects.length === 0 || to?.length === 0) return;
  if ((to?.length ?? 0) > MOST_PEOPLE || subjects.length > MOST_SUBJECTS)
    throw new Error(`Too many at once: ${type.name} wants an audience or pages.`);
  const people = to ? 'SELECT unnest($5::uuid[]) AS user_id' : type.recipients;
  if (people === null) throw new Error(`Nobody says who is told of ${type.name}.`);
  await rows(
    `${INTO_NOTIFICATIONS} ${ROWS_OF_PEOPLE(
      type,
      `SELECT s.organization_id, s.subject_id, who.user_id AS recipient_id, $3::uuid AS actor_id, $4::text AS cause
         FROM (SELECT $1::uuid AS organization_id, given.id AS subject_id FROM unnest($2::uuid[]) AS given (id)) s
        CROSS JOIN LATERAL (SELECT DISTINCT told.user_id FROM (${people}) told WHERE told.user_id IS NOT NULL) who`,
    )}`,
    [currentOrganization(), subjects, actor, cause, ...(to ? [to] : [])],
  );
}
