/** Uploads, attaches and removes files of posts and comments. */
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { keepUploads, releaseFiles, type StoredFile } from '../../organizations/files/storedFiles.js';
import { requireForumAccess, type VisibleForum } from '../forums/forumAccess.js';
import { forumErrors } from '../errors.js';
import type { TextIds } from '../textIds.js';
import { beginWriting } from '../writeText.js';
import { type AttachmentJson, columnOf, readAttachment } from './readAttachments.js';

export const MAX_ATTACHMENTS = 10;

/**
 * Requires that a person may upload for a text in the forum, and changes nothing.
 * @throws Refusal not_found, forum_archived, forum_membership_required
 */
export async function requireUploader(forumId: string, userId: string): Promise<VisibleForum> {
  const access = await requireForumAccess(forumId, userId);
  if (access.is_archived) throw forumErrors.forum_archived();
  if (access.forum_role === 'reader' && !access.joins) throw forumErrors.forum_membership_required();
  return access;
}

/**
 * Records an uploaded file, which is in no text yet. As the first text does, it makes a person in the scope of an open
 * forum a member.
 * @throws Refusal not_found, forum_archived, forum_membership_required
 */
export async function createAttachment(
  forumId: string,
  userId: string,
  { id: fileId, purpose, name, size_bytes }: StoredFile,
): Promise<AttachmentJson> {
  await beginWriting(forumId, userId);
  const kind = purpose === 'forum_image' ? 'image' : 'document';
  const { id } = await oneRow<{ id: string }>(
    `INSERT INTO forum_attachments (organization_id, forum_id, uploaded_by, kind, file_name, size_bytes, file_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
    [currentOrganization(), forumId, userId, kind, name, size_bytes, fileId],
  );
  return readAttachment(id);
}

/**
 * Gives a text, whose row is locked or new, exactly these attachments, in this order. Attachments that it no longer has are removed with their files.
 * @param userId the person who writes; only the author adds files
 * @returns whether anything changed
 * @throws Refusal validation_error for a file of another person or forum, or of another text
 */
export async function setAttachments(text: TextIds, userId: string, ids: readonly string[]): Promise<boolean> {
  const { id, forum_id, author_id } = text;
  const column = columnOf(text);
  const values = [currentOrganization(), id];
  const current = await rows<{ id: string }>(
    `SELECT id FROM forum_attachments WHERE organization_id = $1 AND ${column} = $2 ORDER BY position FOR UPDATE`,
    values,
  );
  const former = current.map((attachment) => attachment.id);
  if (former.join() === ids.join()) return false;
  await removeAttachments(text, ids);
  const named = await rows<{ id: string; file_id: string }>(
    `UPDATE forum_attachments f SET ${column} = $2, position = named.nth
       FROM unnest($3::uuid[]) WITH ORDINALITY AS named (id, nth)
      WHERE f.organization_id = $1 AND f.id = named.id AND (f.${column} = $2
         OR ($4::uuid = $5 AND f.post_id IS NULL AND f.comment_id IS NULL AND f.uploaded_by = $4 AND f.forum_id = $6))
     RETURNING f.id, f.file_id`,
    [...values, ids, userId, author_id, forum_id],
  );
  const added = named.filter((attachment) => !former.includes(attachment.id)).map(({ file_id }) => file_id);
  if (named.length !== ids.length || (await keepUploads(added)) !== added.length)
    throw invalid('attachments', 'Name files that you uploaded to this forum within the last day, each in one text.');
  return true;
}

/** Removes the attachments of a text with their files, except the named ones. */
export async function removeAttachments(text: TextIds, except: readonly string[] = []): Promise<void> {
  const removed = await rows<{ file_id: string | null }>(
    `DELETE FROM forum_attachments WHERE organization_id = $1 AND ${columnOf(text)} = $2 AND id <> ALL ($3::uuid[]) RETURNING file_id`,
    [currentOrganization(), text.id, except],
  );
  if (removed.length > 0) await releaseFiles(removed.flatMap(({ file_id }) => file_id ?? []));
}

/** Deletes the uploads of a person that are in no text. @returns how many */
export async function removeUnattached(userId: string): Promise<number> {
  const removed = await rows<{ file_id: string }>(
    `DELETE FROM forum_attachments
      WHERE organization_id = $1 AND uploaded_by = $2 AND post_id IS NULL AND comment_id IS NULL RETURNING file_id`,
    [currentOrganization(), userId],
  );
  await releaseFiles(removed.map(({ file_id }) => file_id));
  return removed.length;
}

/** Handles an infected file: its text shows that it was refused; in no text yet, it is gone. */
export async function refuseAttachment(fileId: string): Promise<void> {
  const values = [currentOrganization(), fileId];
  await rows(
    `DELETE FROM forum_attachments
      WHERE organization_id = $1 AND file_id = $2 AND post_id IS NULL AND comment_id IS NULL`,
    values,
  );
  await rows('UPDATE forum_attachments SET file_id = NULL WHERE organization_id = $1 AND file_id = $2', values);
}
