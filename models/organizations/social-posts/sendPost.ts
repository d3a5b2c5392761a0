/** What the process of a post does to its row. */
import { changeRow, computed, lockIfThere, now } from '../../database/model/change.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { type OpenAccount, openAccount } from '../../socialnet/accounts.js';
import { told } from '../notifications.js';
import { type PostFailure, SocialPost } from './SocialPost.js';

export interface PostToSend extends OpenAccount {
  text: string;
  linkUrl: string | null;
  /** Since when it may be at the network. */
  since: Date;
}

/** How a post stands for its process. `called_off`: nobody wants it published now. */
export type PostEnd = 'published' | 'failed' | 'unknown' | 'called_off';
/** The network wants it later. */
export type PostStep = PostEnd | 'later';

/** Seconds until a scheduled post is due, by the database's clock; null of one that is not scheduled. @throws RowMissing */
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

/** What a try may do: send it, look for it first, or nothing any more. */
export type Claim = { send: PostToSend; lookFirst: boolean } | { end: PostStep };

/**
 * Commits that a post is about to be sent. Whoever finds that somebody did so before does not send it: it may be there.
 * Asks once more whether its author may speak for the organization. @throws RowMissing
 */
export async function claimPost(id: string): Promise<Claim> {
  const post = await lockIfThere(SocialPost, id);
  if (!post) throw new RowMissing('There is no such post.');
  if (post.status === 'publishing') return { end: 'unknown' };
  if (post.status !== 'scheduled') return { end: post.status === 'draft' ? 'called_off' : post.status };
  if ((await secondsUntilDue(id)) !== 0) return { end: 'later' };
  const author = await authorOf(post);
  const lookFirst = post.claimed_at !== null;
  // One that may be there already has not failed.
  if (typeof author === 'string') return { end: lookFirst ? await giveUpPost(id) : await failPost(id, author) };
  await changeRow(SocialPost, id, { status: 'publishing', claimed_at: computed('coalesce(claimed_at, now())') });
  return { send: { ...author, ...whatItSays(post) }, lookFirst };
}

/** What to look for, of a post that is on its way; null of one that is not. */
export async function postUnderWay(id: string): Promise<PostToSend | null> {
  const post = await lockIfThere(SocialPost, { id, status: 'publishing' });
  if (!post) return null;
  const author = await authorOf(post);
  return typeof author === 'string' ? null : { ...author, ...whatItSays(post) };
}

const whatItSays = ({ text, link_url, claimed_at }: SocialPost) => ({
  text,
  linkUrl: link_url,
  since: claimed_at ?? new Date(),
});

/** The account through which it is said; or why it may not be. */
async function authorOf({ author_id: userId }: SocialPost): Promise<OpenAccount | PostFailure> {
  const { speaks } = await oneRow<{ speaks: boolean }>(
    `SELECT disabled_at IS NULL AND (is_platform_admin OR EXISTS (SELECT FROM organization_admins a
              WHERE a.organization_id = $2 AND a.user_id = users.id AND a.is_active)) AS speaks
       FROM users WHERE id = $1`,
    [userId, currentOrganization()],
  );
  return speaks ? ((await openAccount(userId)) ?? 'not_linked') : 'not_an_admin';
}

/** It is at the network. Again changes nothing. */
export async function recordPublished(id: string, networkPostId: string): Promise<PostEnd> {
  await changeRow(
    SocialPost,
    { id, status: 'publishing' },
    { status: 'published', published_at: now, network_post_id: networkPostId },
  );
  return 'published';
}

/** The network did not make it: its author hears of it. */
export async function failPost(id: string, failure: PostFailure): Promise<PostEnd> {
  await endWithout(id, { status: 'failed', failure, claimed_at: null });
  return 'failed';
}

/** It was looked for long enough: its author has to look. */
export async function giveUpPost(id: string): Promise<PostEnd> {
  await endWithout(id, { status: 'unknown' });
  return 'unknown';
}

/** The network wants it later, and has not made it. @param mayBeThere whether a try before may have */
export async function postponePost(id: string, seconds: number, mayBeThere: boolean): Promise<void> {
  const at = computed(`now() + ${Math.ceil(seconds)} * interval '1 second'`);
  const later = { status: 'scheduled', publish_at: at, ...(!mayBeThere && { claimed_at: null }) } as const;
  await changeRow(SocialPost, { id, status: 'publishing' }, later);
}

async function endWithout(id: string, fields: object): Promise<void> {
  const ended = await changeRow(SocialPost, { id, status: ['scheduled', 'publishing'] as never }, fields);
  if (ended) await notify(told.social_post_not_published, [id], { actor: null, cause: `ended:${ended.version}` });
}
