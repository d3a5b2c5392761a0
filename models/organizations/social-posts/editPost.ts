import { type Edit, editRow, lockForEdit, removeRow } from '../../database/model/change.js';
import { socialPostErrors } from './errors.js';
import { SocialPost } from './SocialPost.js';

/** Statuses in which a post can be edited; a post that is being published or is published cannot. */
const EDITABLE_STATUSES: readonly string[] = ['draft', 'scheduled', 'failed'];

/**
 * Edits a post of the user.
 * @throws Refusal not_found, stale_version, social_post_not_yours, social_post_closed
 */
export async function editPost(id: string, userId: string, edit: Edit<SocialPost>): Promise<void> {
  const post = await lockForEdit(SocialPost, id);
  // Only the author may change it, because it is published through the author's account.
  if (post.author_id !== userId) throw socialPostErrors.social_post_not_yours();
  requireEditable(post);
  await editRow(post, edit);
}

/**
 * Deletes a post that is not published.
 * @throws Refusal not_found, social_post_closed
 */
export async function removePost(id: string): Promise<void> {
  requireEditable(await lockForEdit(SocialPost, id));
  await removeRow(SocialPost, id);
}

function requireEditable({ status, claimed_at: claimedAt }: SocialPost): void {
  if (!EDITABLE_STATUSES.includes(status) || claimedAt !== null) throw socialPostErrors.social_post_closed();
}
