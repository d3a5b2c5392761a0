/** Reads the role of a person in a forum. `app.forum_role` computes it at every request. */
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import type { ForumRole, ForumVisibility, MemberStatus } from '../vocabulary.js';

export interface ForumAccess {
  id: string;
  chapter_id: string | null;
  region_id: string | null;
  visibility: ForumVisibility;
  is_archived: boolean;
  /** Null: the person cannot see the forum. */
  forum_role: ForumRole | null;
  /** Whether the next read, or the first text, makes the person a member. */
  joins: boolean;
  /** Whether the person has a membership in the forum's chapter, region or organization. */
  may_join: boolean;
  /** Status of the person's row; null if there is none. */
  status: MemberStatus | null;
}

/** The access of a person who sees the forum. */
export type VisibleForum = ForumAccess & { forum_role: ForumRole };

/** Reads the access of a person to a forum, also to one that the person cannot see; null if there is no such forum. */
export const findForumAccess = (forumId: string, userId: string): Promise<ForumAccess | null> =>
  firstRow<ForumAccess>(
    `SELECT f.id, f.chapter_id, f.region_id, f.visibility, f.is_archived, m.status,
            app.forum_role(f.organization_id, $2, f.id) AS forum_role,
            app.joins_by_reading(f.organization_id, $2, f.id) AS joins,
            app.may_join_forum(f.organization_id, $2, f.chapter_id, f.region_id) AS may_join
       FROM forums f LEFT JOIN forum_memberships m
         ON m.organization_id = f.organization_id AND m.forum_id = f.id AND m.user_id = $2
      WHERE f.organization_id = $1 AND f.id = $3`,
    [currentOrganization(), userId, forumId],
  );

/**
 * Reads the access of a person to a forum that the person can see.
 * @throws Refusal not_found for a forum that the person cannot see
 */
export async function requireForumAccess(forumId: string, userId: string): Promise<VisibleForum> {
  const access = await findForumAccess(forumId, userId);
  if (access?.forum_role == null) throw refuse.not_found();
  return access as VisibleForum;
}

/** Locks a forum while its members or its pins change; a second change waits. Lock people before. */
export const lockForum = (forumId: string): Promise<unknown> =>
  rows('SELECT FROM forums WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE', [currentOrganization(), forumId]);

/** Locks a forum while a text is written, so that it is not archived and its writer not removed meanwhile. */
export const lockForumForText = (forumId: string): Promise<unknown> =>
  rows('SELECT FROM forums WHERE organization_id = $1 AND id = $2 FOR SHARE', [currentOrganization(), forumId]);
