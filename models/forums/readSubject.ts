/** Reads who may read the subject of a notification of a forum. */
import { currentOrganization, firstRow } from '../database/rows.js';
import type { ForumRole } from './vocabulary.js';

export interface ForumSubject {
  /** The person whom the subject concerns; null for a thread. */
  user_id: string | null;
  forum_role: ForumRole | null;
}

const SUBJECTS = {
  forum_post: `SELECT NULL::uuid AS user_id, app.forum_role(p.organization_id, $3, p.forum_id) AS forum_role
    FROM forum_posts p WHERE p.organization_id = $1 AND p.id = $2 AND app.shows_forum_text(p.organization_id, p.id, NULL)`,
  forum_membership: `SELECT m.user_id, app.forum_role(m.organization_id, $3, m.forum_id) AS forum_role
    FROM forum_memberships m WHERE m.organization_id = $1 AND m.id = $2`,
} as const;

/** Reads the role of a person in the forum of a subject; null if there is no such subject, or readers do not see the text. */
export const findForumSubject = (
  type: keyof typeof SUBJECTS,
  id: string,
  userId: string,
): Promise<ForumSubject | null> => firstRow<ForumSubject>(SUBJECTS[type], [currentOrganization(), id, userId]);
