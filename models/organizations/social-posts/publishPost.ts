/** Schedules and unschedules posts; only the author may do so. */
import { publishSocialPost } from '../../../workflows/contracts/index.js';
import { editRow, lockForEdit, now } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { decryptAccount } from '../../socialnet/accounts.js';
import { socialPostErrors } from './errors.js';
import { SocialPost } from './SocialPost.js';

interface PublishRequest {
  /** Time of publication; default: now. */
  publishAt?: Date | undefined;
  /** Whether to publish a post of unknown outcome again if it cannot be found on the network. */
  again?: boolean | undefined;
  /** The version that the client read. */
  version?: number | undefined;
}

/**
 * Schedules a post; its workflow publishes it.
 * @throws Refusal not_found, stale_version, social_post_not_yours, social_account_missing, social_post_under_way,
 * social_post_published, social_post_unknown
 */
export async function publishPost(
  id: string,
  userId: string,
  { publishAt, again, version }: PublishRequest,
): Promise<void> {
  const post = await lockOwnPost(id, userId);
  if (post.status === 'publishing') throw socialPostErrors.social_post_under_way();
  if (post.status === 'published') throw socialPostErrors.social_post_published();
  if (post.status === 'unknown' && !again) throw socialPostErrors.social_post_unknown();
  if (!(await decryptAccount(userId))) throw socialPostErrors.social_account_missing();
  await editRow(post, { version, status: 'scheduled', publish_at: publishAt ?? now, failure: null });
  await enqueue(publishSocialPost, { socialPostId: id }, { signal: 'changed' });
}

/** Makes a scheduled post a draft again. @throws Refusal not_found, social_post_not_yours, social_post_not_scheduled */
export async function unschedulePost(id: string, userId: string): Promise<void> {
  if (!(await unschedule(await lockOwnPost(id, userId)))) throw socialPostErrors.social_post_not_scheduled();
  await enqueue(publishSocialPost, { socialPostId: id }, { signal: 'changed' });
}

/**
 * Makes a scheduled post of any author a draft again, for an operator who ends its workflow. @returns whether it was
 * scheduled
 */
export const stopPost = async (id: string): Promise<boolean> => unschedule(await lockForEdit(SocialPost, id));

async function unschedule(post: SocialPost): Promise<boolean> {
  if (post.status !== 'scheduled') return false;
  // If an earlier attempt may have published the post, its status becomes unknown instead of draft, so that its author
  // knows that it may be on the network.
  await editRow(post, { status: post.claimed_at ? 'unknown' : 'draft', publish_at: null });
  return true;
}

/** Locks a post and requires that the user is its author, because it is published through the author's account. */
async function lockOwnPost(id: string, userId: string): Promise<SocialPost> {
  const post = await lockForEdit(SocialPost, id);
  if (post.author_id !== userId) throw socialPostErrors.social_post_not_yours();
  return post;
}
