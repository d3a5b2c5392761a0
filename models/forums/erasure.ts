/** Erases a person's data in the forums of an organization. Texts stay with their files, without the name of their author. */
import { currentOrganization, rows } from '../database/rows.js';
import { removeUnattached } from './attachments/changeAttachments.js';
import type { Erasure } from '../identity/deletion/erasure.js';

const MEMBER = 'Ended; records who was in a forum, by id.';
const CASE = 'Records who decided about whose text, by id; an appeal is decided by another person.';
const TEXT = 'The texts of a deleted account stay, with their author by id.';

/** Deletes what the person has read, uploads that are in no text, and the words of requests to join, flags and appeals. */
async function eraseInOrganization(userId: string): Promise<{ changed: number }> {
  const values = [currentOrganization(), userId];
  const read = await rows('DELETE FROM forum_reads WHERE organization_id = $1 AND user_id = $2 RETURNING 1', values);
  const words = await rows(
    `UPDATE forum_memberships SET message = NULL, note = NULL
      WHERE organization_id = $1 AND user_id = $2 AND (message IS NOT NULL OR note IS NOT NULL) RETURNING 1`,
    values,
  );
  const files = await removeUnattached(userId);
  const flags = await rows(
    `UPDATE forum_flags SET reason = NULL, note = NULL
      WHERE organization_id = $1 AND user_id = $2 AND (reason IS NOT NULL OR note IS NOT NULL) RETURNING 1`,
    values,
  );
  const appeals = await rows(
    `UPDATE forum_cases SET appeal_text = NULL
      WHERE organization_id = $1 AND author_id = $2 AND appeal_text IS NOT NULL RETURNING 1`,
    values,
  );
  return { changed: read.length + words.length + files + flags.length + appeals.length };
}

export const forumsErasure: Erasure = {
  retainedColumns: {
    'forum_flags.user_id': 'Counts whether enough people flagged a text; the words are erased.',
    'forum_cases.author_id': CASE,
    'forum_cases.decided_by': CASE,
    'forum_cases.appeal_decided_by': CASE,
    'forum_memberships.user_id': MEMBER,
    'forum_memberships.invited_by': MEMBER,
    'forum_memberships.decided_by': MEMBER,
    'forum_posts.author_id': TEXT,
    'forum_posts.deleted_by': TEXT,
    'forum_comments.author_id': TEXT,
    'forum_comments.deleted_by': TEXT,
    'forum_attachments.uploaded_by': TEXT,
    'forum_revisions.replaced_by': 'Records who changed a text, by id.',
    'forum_reads.user_id': 'Deleted in each organization.',
  },
  inOrganization: eraseInOrganization,
};
