import { notificationFanout } from '../../workflows/contracts/index.js';
import { currentScope } from '../database/connection.js';
import { enqueueFrom } from '../database/outbox.js';
import { currentOrganization, oneRow } from '../database/rows.js';
import { uuidv7 } from '../database/uuid.js';
import { type Audience, peopleSql } from './audiences.js';
import { insertNotifications } from './insertNotifications.js';
import { ROWS_OF_PEOPLE } from './statements.js';
import type { NotificationType } from './types.js';

/** Maximum number of people whom one transaction notifies. A larger audience is notified by a background process. */
const MAX_RECIPIENTS = 200;

interface NotifyAudienceOptions {
  /** The `audience_id` that is passed to the audience's SQL function. Default: the organization's id. */
  of?: string;
  /** The person who caused the event. Default: the user of the transaction. */
  actor?: string | null;
  /** Distinguishes several events of one type and subject. Default: the cause of the type. */
  cause?: string;
}

/**
 * Notifies an audience of a fact. A small audience is notified in this transaction; a large one by a background
 * process, in batches.
 */
export async function notifyAudience(
  type: NotificationType,
  subjectId: string,
  audience: Audience,
  { of = currentOrganization(), actor = currentScope().origin.userId, cause = type.cause }: NotifyAudienceOptions = {},
): Promise<void> {
  const values = [currentOrganization(), of, subjectId, actor, cause];
  const fanoutId = uuidv7();
  const intent = enqueueFrom(notificationFanout, { fanoutId }, 'fanout', 8);
  // One statement counts the people and, if there are many, starts the fan-out: a large audience costs no more
  // statements than a small one.
  const { expected, hasStarted } = await oneRow<{ expected: number; hasStarted: boolean }>(
    `WITH people AS (
       SELECT count(*)::int AS number FROM (SELECT $1::uuid AS organization_id, $2::uuid AS audience_id) a
        CROSS JOIN LATERAL ${peopleSql(audience)} who),
     fanout AS (
       INSERT INTO notification_fanouts (organization_id, audience_id, subject_id, actor_id, cause, notification_type, audience, id, expected)
       SELECT $1, $2, $3::uuid, $4::uuid, $5, $6, $7, $8::uuid, people.number FROM people WHERE people.number > ${MAX_RECIPIENTS}
       ON CONFLICT ON CONSTRAINT notification_fanouts_once DO NOTHING RETURNING id),
     intent AS (${intent.text})
     SELECT people.number AS expected, EXISTS (SELECT FROM fanout) AS "hasStarted" FROM people`,
    [...values, type.name, audience.name, fanoutId, ...intent.values],
  );
  if (hasStarted) intent.confirm();
  if (expected > MAX_RECIPIENTS) return;
  await insertNotifications(
    [
      ROWS_OF_PEOPLE(
        type,
        `SELECT a.organization_id, $3::uuid AS subject_id, who.user_id AS recipient_id, $4::uuid AS actor_id, $5::text AS cause
           FROM (SELECT $1::uuid AS organization_id, $2::uuid AS audience_id) a CROSS JOIN LATERAL ${peopleSql(audience)} who`,
      ),
    ],
    values,
  );
}
