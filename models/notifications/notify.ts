/** Records notifications in the caller's transaction. All areas notify through this module. */
import { currentScope } from '../database/connection.js';
import { currentOrganization } from '../database/rows.js';
import { insertNotifications } from './insertNotifications.js';
import { recipientsSql, ROWS_OF_PEOPLE } from './statements.js';
import type { NotificationType } from './types.js';

/**
 * Maximum number of recipients that a caller may name. A larger group must be declared as an audience, which a
 * background process notifies.
 */
const MAX_RECIPIENTS = 200;
/** Maximum number of facts in one statement. A fact is one subject of which people are notified. */
const BATCH_SIZE = 5_000;

interface NotifyOptions {
  /** The recipients. Required if the type has no recipient rule. */
  to?: readonly string[];
  /** The person who caused the event, who is not notified of it. Default: the user of the transaction. */
  actor?: string | null;
  /** Distinguishes several events of one type and subject. Default: the cause of the type. */
  cause?: string;
}

/** One type of notification and the subjects of which people are to be notified. Each subject is one fact. */
type Facts = [type: NotificationType, subjects: readonly string[], options?: NotifyOptions];

/**
 * Notifies people of facts of one type, one fact per subject, in statements of up to 5,000 facts. Everybody concerned
 * gets a notification, regardless of preferences; delivery decides on the channels.
 * @throws Error if the caller names too many recipients
 */
export async function notify(
  type: NotificationType,
  subjects: readonly string[],
  options: NotifyOptions = {},
): Promise<void> {
  for (let from = 0; from < subjects.length; from += BATCH_SIZE)
    await notifyAll([type, subjects.slice(from, from + BATCH_SIZE), options]);
}

/** Notifies of facts of several types that become true together, in one statement for all of them. */
export async function notifyAll(...all: Facts[]): Promise<void> {
  const values: unknown[] = [currentOrganization()];
  const selections = all
    .filter(([, subjects, options]) => subjects.length > 0 && options?.to?.length !== 0)
    .map((facts) => rowsOf(facts, (value) => `$${values.push(value)}`));
  await insertNotifications(selections, values);
}

/**
 * Returns the SELECT of the rows to insert.
 * @param bind adds a value to the statement and returns its placeholder; `$1` is the tenant
 */
function rowsOf([type, subjects, options = {}]: Facts, bind: (value: unknown) => string): string {
  const { to, cause = type.cause, actor = currentScope().origin.userId } = options;
  if ((to?.length ?? 0) > MAX_RECIPIENTS) throw new Error(`Too many recipients: use an audience for ${type.name}.`);
  const people = to ? `(SELECT unnest(${bind(to)}::uuid[]) AS user_id)` : recipientsByRule(type);
  return ROWS_OF_PEOPLE(
    type,
    `SELECT s.organization_id, s.subject_id, who.user_id AS recipient_id, ${bind(actor)}::uuid AS actor_id,
            ${bind(cause)}::text AS cause
       FROM (SELECT $1::uuid AS organization_id, given.id AS subject_id FROM unnest(${bind(subjects)}::uuid[]) AS given (id)) s
      CROSS JOIN LATERAL (SELECT DISTINCT told.user_id FROM ${people} told WHERE told.user_id IS NOT NULL) who`,
  );
}

function recipientsByRule({ name, recipients }: NotificationType): string {
  if (recipients === null)
    throw new Error(`The type ${name} has no recipient rule, and the caller gave no recipients.`);
  return recipientsSql(recipients);
}
