import { professionalNetwork } from '../../gateways/socialnet/network.js';
import { NetworkBusy, type NetworkPort, NetworkUnavailable, PostRefused } from '../../gateways/socialnet/port.js';
import { inTenant } from '../../models/database/tenancy.js';
import {
  claimPost,
  failPost,
  markPostUnknown,
  type PostOutcome,
  type PostStep,
  type PostToSend,
  postponePost,
  findPostBeingPublished,
  recordPublished,
  secondsUntilDue,
} from '../../models/organizations/social-posts/sendPost.js';
import type { PublishSocialPostInput } from '../../workflows/contracts/publishSocialPost.js';

/** Returns the seconds until the post is due; null when it must not be published. */
export const untilPostIsDue = ({ organizationId, socialPostId }: PublishSocialPostInput): Promise<number | null> =>
  inTenant(organizationId, () => secondsUntilDue(socialPostId));

/**
 * Sends a due post. The claim is committed before the network is called. If an attempt dies in between, the next
 * attempt returns `unknown` and sends nothing.
 */
export const sendPost = async ({ organizationId, socialPostId: id }: PublishSocialPostInput): Promise<PostStep> => {
  const claim = await inTenant(organizationId, () => claimPost(id));
  if ('end' in claim) return claim.end;
  const write = <T>(work: () => Promise<T>) => inTenant(organizationId, work);
  const network = professionalNetwork();
  if (!network) return write(() => failPost(id, 'not_linked'));
  try {
    const postId = await publishOnce(network, claim.send, claim.lookFirst);
    return await write(() => recordPublished(id, postId));
  } catch (error) {
    if (error instanceof PostRefused) {
      // The account is no longer linked, so the network cannot be asked whether an earlier attempt has published the
      // post.
      const mayBePublished = claim.lookFirst && error.code === 'not_linked';
      return write(() => (mayBePublished ? markPostUnknown(id) : failPost(id, error.code)));
    }
    if (error instanceof NetworkBusy) {
      await write(() => postponePost(id, error.retryAfterSeconds, claim.lookFirst));
      return 'later';
    }
    if (error instanceof NetworkUnavailable) return 'unknown';
    throw error;
  }
};

/**
 * Publishes a post once. If an earlier attempt may have published it, the network is searched for it first. Where our
 * application has no right to search, the author has already checked that the post is missing and has requested
 * publication again. The network itself also refuses a duplicate of a published post.
 */
async function publishOnce(network: NetworkPort, post: PostToSend, lookFirst: boolean): Promise<string> {
  const existing = lookFirst ? await findIfAllowed(network, post) : null;
  if (existing) return existing;
  try {
    return await network.publish(post);
  } catch (error) {
    if (lookFirst && error instanceof PostRefused && error.duplicateOf) return error.duplicateOf;
    throw error;
  }
}

/**
 * Searches for the post, if the application may search. Throws if the network does not answer or the account link has
 * ended, so that nothing is sent.
 */
async function findIfAllowed(network: NetworkPort, post: PostToSend): Promise<string | null> {
  try {
    return await network.find(post);
  } catch (error) {
    if (error instanceof PostRefused && error.code === 'not_permitted') return null;
    throw error;
  }
}

/**
 * Searches for a post whose response was lost.
 * @returns null when it is not visible yet
 */
export const lookForPost = async ({
  organizationId,
  socialPostId: id,
  isLast,
}: PublishSocialPostInput & { isLast: boolean }): Promise<PostOutcome | null> => {
  const post = await inTenant(organizationId, () => findPostBeingPublished(id));
  const network = professionalNetwork();
  const postId = post && network ? await findQuietly(network, post) : null;
  if (postId) return inTenant(organizationId, () => recordPublished(id, postId));
  return isLast ? inTenant(organizationId, () => markPostUnknown(id)) : null;
};

/** Searches for the post. Returns null also when the application may not search or the network does not answer. */
async function findQuietly(network: NetworkPort, post: PostToSend): Promise<string | null> {
  try {
    return await network.find(post);
  } catch (error) {
    if (error instanceof PostRefused || error instanceof NetworkBusy || error instanceof NetworkUnavailable)
      return null;
    throw error;
  }
}
