/** Mutes: a person hears nothing about a muted subject, for example a thread. */
import { currentOrganization, rows } from '../database/rows.js';
import type { Subject } from './hasAnyRecipient.js';

/** Mutes a subject for a person. Repeating it changes nothing. */
export const muteSubject = (userId: string, { type, id }: Subject): Promise<unknown> =>
  rows(
    `INSERT INTO notification_mutes (organization_id, user_id, subject_type, subject_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    [currentOrganization(), userId, type, id],
  );

export const unmuteSubject = (userId: string, { type, id }: Subject): Promise<unknown> =>
  rows(
    `DELETE FROM notification_mutes
      WHERE organization_id = $1 AND user_id = $2 AND subject_type = $3 AND subject_id = $4`,
    [currentOrganization(), userId, type, id],
  );
