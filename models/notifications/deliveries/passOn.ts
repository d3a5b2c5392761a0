/** What cannot be delivered, since its recipient may not see it any more, goes to whoever is to be told now. */
import { currentOrganization } from '../../database/rows.js';
import { makeNotifications } from '../makeNotifications.js';
import { ROWS_OF_PEOPLE } from '../statements.js';
import { allTypes } from '../types.js';

export interface Undelivered {
  notificationType: string;
  subjectId: string;
  /** `<subject>:<id>:<cause>` */
  eventId: string;
  actorId: string | null;
}

/**
 * Asks the rule of each type again who is told, and tells those who may see it and were not told before. A type whose caller
 * says who is told has no such rule, and one that names the same person again tells nobody.
 */
export async function passOn(undelivered: readonly Undelivered[]): Promise<void> {
  for (const type of allTypes()) {
    const facts = undelivered.filter(({ notificationType }) => notificationType === type.name);
    if (facts.length === 0 || type.recipients === null) continue;
    const people = `
      SELECT DISTINCT s.organization_id, s.subject_id, told.user_id AS recipient_id, s.actor_id, s.cause
        FROM (SELECT $1::uuid AS organization_id, given.* FROM unnest($2::uuid[], $3::uuid[], $4::text[]) AS given (subject_id, actor_id, cause)) s
       CROSS JOIN LATERAL (${type.recipients}) told WHERE told.user_id IS NOT NULL`;
    await makeNotifications(
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
