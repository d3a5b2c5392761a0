import { notificationFanout } from '../../workflows/contracts/index.js';
import { currentScope } from '../database/connection.js';
import { enqueue } from '../database/outbox.js';
import { currentOrganization, oneRow, rows } from '../database/rows.js';
import { type Audience, peopleSql } from './audiences.js';
import { insertNotifications } from './insertNotifications.js';
import { ROWS_OF_PEOPLE } from './statements.js';
import type { NotificationType } from './types.js';

/** The maximum number of people whom one transaction notifies; more are notified by a background process. */
const MAX_RECIPIENTS = 200;

interface NotifyAudienceOptions {
  /** The id that selects the audience. Defaults to the organization. */
  of?: string;
  /** Defaults to the user of the transaction. */
  actor?: string | null;
  /** Defaults to the cause of the type. */
  cause?: string;
}

/** Notifies an audience of a fact: a small one in this transaction, a large one by a background process in batches. */
export async function notifyAudience(
  type: NotificationType,
  subjectId: string,
  audience: Audience,
  { of = currentOrganization(), actor = currentScope().origin.userId, cause = type.cause }: NotifyAudienceOptions = {},
): Promise<void> {
  const { expected } = await oneRow<{ expected: number }>(
    `SELECT count(*)::int AS expected FROM (SELECT $1::uuid AS organization_id, $2::uuid AS audience_id) a
      CROSS JOIN LATERAL ${peopleSql(audience)} who`,
    [currentOrganization(), of],
  );
  if (expected <= MAX_RECIPIENTS) {
    await insertNotifications(
      [
        ROWS_OF_PEOPLE(
          type,
          `SELECT a.organization_id, $3::uuid AS subject_id, who.user_id AS recipient_id, $4::uuid AS actor_id, $5::text AS cause
           FROM (SELECT $1::uuid AS organization_id, $2::uuid AS audience_id) a CROSS JOIN LATERAL ${peopleSql(audience)} who`,
        ),
      ],
      [currentOrganization(), of, subjectId, actor, cause],
    );
    return;
  }
  const [fanout] = await rows<{ id: string }>(
    `INSERT INTO notification_fanouts (organization_id, notification_type, subject_id, cause, actor_id, audience, audience_id, expected)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT ON CONSTRAINT notification_fanouts_once DO NOTHING RETURNING id`,
    [currentOrganization(), type.name, subjectId, cause, actor, audience.name, of, expected],
  );
  if (fanout) await enqueue(notificationFanout, { fanoutId: fanout.id });
}
