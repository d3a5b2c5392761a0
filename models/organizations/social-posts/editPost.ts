import { type Edit, editRow, lockRow, removeRow } from '../../database/model/change.js';
import { socialPostErrors } from './errors.js';
import { SocialPost } from './SocialPost.js';

/** What is on its way, or there, stays as it was said. */
const OPEN: readonly string[] = ['draft', 'scheduled', 'failed'];

/** @throws Refusal not_found, stale_version, social_post_not_yours, social_post_closed */
export async function editPost(id: string, userId: string, edit: Edit<SocialPost>): Promise<void> {
  const post = await lockRow(SocialPost, id);
  // Nobody speaks through somebody else's account.
  if (post.author_id !== userId) throw socialPostErrors.social_post_not_yours();
  requireOpen(post);
  await editRow(post, edit);
}

/** @throws Refusal not_found, social_post_closed */
export async function removePost(id: string): Promise<void> {
  requireOpen(await lockRow(SocialPost, id));
  await removeRow(SocialPost, id);
}

function requireOpen({ status, claimed_at: claimedAt }: SocialPost): void {
  if (!OPEN.includes(status) || claimedAt !== null) throw socialPostErrors.social_post_closed();
}
