/** When a post is to be published: its author's decision, until it is on its way. */
import { publishSocialPost } from '../../../workflows/contracts/index.js';
import { editRow, lockRow, now } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { openAccount } from '../../socialnet/accounts.js';
import { socialPostErrors } from './errors.js';
import { SocialPost } from './SocialPost.js';

interface Publishing {
  /** Left out: now. */
  publishAt?: Date | undefined;
  /** Of one of which nobody knows whether it is there: once more, if it cannot be found. */
  again?: boolean | undefined;
  /** The version that was seen. */
  version?: number | undefined;
}

/**
 * Has a post published, by its process.
 * @throws Refusal not_found, stale_version, social_post_not_yours, social_account_missing, social_post_under_way,
 *   social_post_published, social_post_unknown
 */
export async function publishPost(
  id: string,
  userId: string,
  { publishAt, again, version }: Publishing,
): Promise<void> {
  const post = await lockOwn(id, userId);
  if (post.status === 'publishing') throw socialPostErrors.social_post_under_way();
  if (post.status === 'published') throw socialPostErrors.social_post_published();
  if (post.status === 'unknown' && !again) throw socialPostErrors.social_post_unknown();
  if (!(await openAccount(userId))) throw socialPostErrors.social_account_missing();
  await editRow(post, { version, status: 'scheduled', publish_at: publishAt ?? now, failure: null });
  await enqueue(publishSocialPost, { socialPostId: id }, { signal: 'changed' });
}

/** Makes what is scheduled a draft again. @throws Refusal not_found, social_post_not_yours, social_post_not_scheduled */
export async function unschedulePost(id: string, userId: string): Promise<void> {
  if (!(await callOff(await lockOwn(id, userId)))) throw socialPostErrors.social_post_not_scheduled();
  await enqueue(publishSocialPost, { socialPostId: id }, { signal: 'changed' });
}

/** For whoever ends its process: the same, whosever post it is. @returns whether it was scheduled */
export const stopPost = async (id: string): Promise<boolean> => callOff(await lockRow(SocialPost, id));

async function callOff(post: SocialPost): Promise<boolean> {
  if (post.status !== 'scheduled') return false;
  // One that may be there already is not forgotten.
  await editRow(post, { status: post.claimed_at ? 'unknown' : 'draft', publish_at: null });
  return true;
}

/** It is their own account through which it is said. */
async function lockOwn(id: string, userId: string): Promise<SocialPost> {
  const post = await lockRow(SocialPost, id);
  if (post.author_id !== userId) throw socialPostErrors.social_post_not_yours();
  return post;
}
