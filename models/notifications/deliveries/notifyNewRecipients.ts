/**
 * When a recipient has lost the right to see the subject of a notification, notifies the people who may see the subject
 * now.
 */
import { currentOrganization } from '../../database/rows.js';
import { insertNotifications } from '../insertNotifications.js';
import { recipientsSql, ROWS_OF_PEOPLE } from '../statements.js';
import { allTypes } from '../types.js';

export interface Undelivered {
  notificationType: string;
  subjectId: string;
  /** `<subject>:<id>:<cause>` */
  eventId: string;
  actorId: string | null;
}

/**
 * Runs the recipient rule of each type again, and notifies people who may see the subject and were not notified yet.
 * Skips types whose recipients the caller chooses, because they have no rule.
 */
export async function notifyNewRecipients(undelivered: readonly Undelivered[]): Promise<void> {
  for (const type of allTypes()) {
    const facts = undelivered.filter(({ notificationType }) => notificationType === type.name);
    if (facts.length === 0 || type.recipients === null) continue;
    const people = `
      SELECT DISTINCT s.organization_id, s.subject_id, told.user_id AS recipient_id, s.actor_id, s.cause
        FROM (SELECT $1::uuid AS organization_id, given.* FROM unnest($2::uuid[], $3::uuid[], $4::text[]) AS given (subject_id, actor_id, cause)) s
       CROSS JOIN LATERAL ${recipientsSql(type.recipients)} told WHERE told.user_id IS NOT NULL`;
    await insertNotifications(
      [ROWS_OF_PEOPLE(type, people, 'who may see it')],
      [
        currentOrganization(),
        facts.map(({ subjectId }) => subjectId),
        facts.map(({ actorId }) => actorId),
        facts.map(({ subjectId, eventId }) => eventId.slice(`${type.subject}:${subjectId}:`.length)),
      ],
    );
  }
}
