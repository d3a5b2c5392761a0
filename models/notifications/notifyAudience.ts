import { notificationFanout } from '../../workflows/contracts/index.js';
import { currentScope } from '../database/connection.js';
import { enqueue } from '../database/outbox.js';
import { currentOrganization, oneRow, rows } from '../database/rows.js';
import type { Audience } from './audiences.js';
import { makeNotifications } from './makeNotifications.js';
import { ROWS_OF_PEOPLE } from './statements.js';
import type { NotificationType } from './types.js';

/** What one transaction may tell of something; more is for a process. */
const MOST_PEOPLE = 200;

interface Telling {
  /** What the audience is of. Left out: the organization. */
  of?: string;
  /** Left out: who asked for what the transaction does. */
  actor?: string | null;
  /** Left out: as the type says. */
  cause?: string;
}

/** Tells an audience of a fact: a small one at once, a large one by a process, page by page. */
export async function notifyAudience(
  type: NotificationType,
  subjectId: string,
  audience: Audience,
  { of = currentOrganization(), actor = currentScope().origin.userId, cause = type.cause }: Telling = {},
): Promise<void> {
  const { expected } = await oneRow<{ expected: number }>(
    `SELECT count(*)::int AS expected FROM (SELECT $1::uuid AS organization_id, $2::uuid AS audience_id) a
      CROSS JOIN LATERAL (${audience.people}) who`,
    [currentOrganization(), of],
  );
  if (expected <= MOST_PEOPLE) {
    await makeNotifications(
      [
        ROWS_OF_PEOPLE(
          type,
          `SELECT a.organization_id, $3::uuid AS subject_id, who.user_id AS recipient_id, $4::uuid AS actor_id, $5::text AS cause
           FROM (SELECT $1::uuid AS organization_id, $2::uuid AS audience_id) a CROSS JOIN LATERAL (${audience.people}) who`,
        ),
      ],
      [currentOrganization(), of, subjectId, actor, cause],
    );
    return;
  }
  const [made] = await rows<{ id: string }>(
    `INSERT INTO notification_fanouts (organization_id, notification_type, subject_id, cause, actor_id, audience, audience_id, expected)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT ON CONSTRAINT notification_fanouts_once DO NOTHING RETURNING id`,
    [currentOrganization(), type.name, subjectId, cause, actor, audience.name, of, expected],
  );
  if (made) await enqueue(notificationFanout, { fanoutId: made.id });
}
