/** Steps of the workflow that publishes a post. */
import { changeRow, computed, lockForEditIfExists, now } from '../../database/model/change.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { type AccountAccess, decryptAccount } from '../../socialnet/accounts.js';
import { notifications } from '../notifications.js';
import { type PostFailure, SocialPost } from './SocialPost.js';

export interface PostToSend extends AccountAccess {
  text: string;
  linkUrl: string | null;
  /** The time from which the post may be on the network. */
  since: Date;
}

/** The outcome for the workflow. `called_off`: the post is not to be published any more. */
export type PostOutcome = 'published' | 'failed' | 'unknown' | 'called_off';
/** The outcome of a step. `later`: the post is not due yet, or the network asks to try later. */
export type PostStep = PostOutcome | 'later';

/**
 * Returns the seconds until a scheduled post is due, by the database's clock; null if it is not scheduled. @throws
 * RowMissing
 */
export async function secondsUntilDue(id: string): Promise<number | null> {
  const [post] = await rows<{ seconds: number | null }>(
    `SELECT CASE WHEN status IN ('scheduled', 'publishing')
                 THEN greatest(0, ceil(extract(epoch FROM publish_at - now())))::float8 END AS seconds
       FROM social_posts WHERE organization_id = $1 AND id = $2`,
    [currentOrganization(), id],
  );
  if (!post) throw new RowMissing('There is no such post.');
  return post.seconds;
}

/** The next action of an attempt: send the post, after looking for it if `lookFirst`, or end. */
export type PostClaim = { send: PostToSend; lookFirst: boolean } | { end: PostStep };

/**
 * Commits that the post is about to be sent. If an earlier attempt has already committed this, the post is not sent
 * again, because it may already be published. Checks again whether the author may post for the organization.
 * @throws RowMissing
 */
export async function claimPost(id: string): Promise<PostClaim> {
  const post = await lockForEditIfExists(SocialPost, id);
  if (!post) throw new RowMissing('There is no such post.');
  if (post.status === 'publishing') return { end: 'unknown' };
  if (post.status !== 'scheduled') return { end: post.status === 'draft' ? 'called_off' : post.status };
  if ((await secondsUntilDue(id)) !== 0) return { end: 'later' };
  const author = await authorOf(post);
  const lookFirst = post.claimed_at !== null;
  // The author may not post any more. If an earlier attempt may have published the post, it ends as unknown rather than
  // failed.
  if (typeof author === 'string') return { end: lookFirst ? await markPostUnknown(id) : await failPost(id, author) };
  await changeRow(SocialPost, id, { status: 'publishing', claimed_at: computed('coalesce(claimed_at, now())') });
  return { send: { ...author, ...contentOf(post) }, lookFirst };
}

/**
 * Returns the data with which to search for the post on the network; null if the post is not being published, or its
 * author may not post any more.
 */
export async function findPostBeingPublished(id: string): Promise<PostToSend | null> {
  const post = await lockForEditIfExists(SocialPost, { id, status: 'publishing' });
  if (!post) return null;
  const author = await authorOf(post);
  return typeof author === 'string' ? null : { ...author, ...contentOf(post) };
}

const contentOf = ({ text, link_url, claimed_at }: SocialPost) => ({
  text,
  linkUrl: link_url,
  since: claimed_at ?? new Date(),
});

/** Returns the author's account on the network, or the reason why the author may not post. */
async function authorOf({ author_id: userId }: SocialPost): Promise<AccountAccess | PostFailure> {
  const { speaks } = await oneRow<{ speaks: boolean }>(
    `SELECT disabled_at IS NULL AND (is_platform_admin OR EXISTS (SELECT FROM organization_admins a
              WHERE a.organization_id = $2 AND a.user_id = users.id AND a.is_active)) AS speaks
       FROM users WHERE id = $1`,
    [userId, currentOrganization()],
  );
  return speaks ? ((await decryptAccount(userId)) ?? 'not_linked') : 'not_an_admin';
}

/** Records that the post is on the network. Repeating it changes nothing. */
export async function recordPublished(id: string, networkPostId: string): Promise<PostOutcome> {
  await changeRow(
    SocialPost,
    { id, status: 'publishing' },
    { status: 'published', published_at: now, network_post_id: networkPostId },
  );
  return 'published';
}

/** Records that the network refused the post, and notifies its author. */
export async function failPost(id: string, failure: PostFailure): Promise<PostOutcome> {
  await endUnpublished(id, { status: 'failed', failure, claimed_at: null });
  return 'failed';
}

/** Gives a post the status unknown because it may be on the network, and notifies its author, who has to check. */
export async function markPostUnknown(id: string): Promise<PostOutcome> {
  await endUnpublished(id, { status: 'unknown' });
  return 'unknown';
}

/**
 * Postpones a post that the network did not accept yet. @param mayBeThere whether an earlier attempt may have published
 * it
 */
export async function postponePost(id: string, seconds: number, mayBeThere: boolean): Promise<void> {
  const at = computed(`now() + ${Math.ceil(seconds)} * interval '1 second'`);
  const later = { status: 'scheduled', publish_at: at, ...(!mayBeThere && { claimed_at: null }) } as const;
  await changeRow(SocialPost, { id, status: 'publishing' }, later);
}

async function endUnpublished(id: string, fields: object): Promise<void> {
  const ended = await changeRow(SocialPost, { id, status: ['scheduled', 'publishing'] as never }, fields);
  if (ended)
    await notify(notifications.social_post_not_published, [id], { actor: null, cause: `ended:${ended.version}` });
}
