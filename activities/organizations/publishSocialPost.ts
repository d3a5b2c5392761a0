import { professionalNetwork } from '../../gateways/socialnet/network.js';
import { NetworkBusy, type NetworkPort, NetworkUnavailable, PostRefused } from '../../gateways/socialnet/port.js';
import { inTenant } from '../../models/database/tenancy.js';
import {
  claimPost,
  failPost,
  giveUpPost,
  type PostEnd,
  type PostStep,
  type PostToSend,
  postponePost,
  postUnderWay,
  recordPublished,
  secondsUntilDue,
} from '../../models/organizations/social-posts/sendPost.js';
import type { PublishSocialPostInput } from '../../workflows/contracts/publishSocialPost.js';

/** @returns seconds until the post is due; null when it is not to be published */
export const untilPostIsDue = ({ organizationId, socialPostId }: PublishSocialPostInput): Promise<number | null> =>
  inTenant(organizationId, () => secondsUntilDue(socialPostId));

/**
 * Sends a due post. Its claim is committed before the network is called: after a try that died in between, the next
 * one reports `unknown` and sends nothing.
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
      // Without the account link, whether the post was published cannot be checked.
      const mayBeThere = claim.lookFirst && error.code === 'not_linked';
      return write(() => (mayBeThere ? giveUpPost(id) : failPost(id, error.code)));
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
 * A post that may be there already is searched for first; of two identical posts the network accepts the first. If
 * the application may not search, its author has checked and asked to publish again.
 */
async function publishOnce(network: NetworkPort, post: PostToSend, lookFirst: boolean): Promise<string> {
  const found = lookFirst ? await findIfAllowed(network, post) : null;
  if (found) return found;
  try {
    return await network.publish(post);
  } catch (error) {
    if (lookFirst && error instanceof PostRefused && error.duplicateOf) return error.duplicateOf;
    throw error;
  }
}

/** A network that does not answer, or ends the link, is not an answer: nothing is sent then. */
async function findIfAllowed(network: NetworkPort, post: PostToSend): Promise<string | null> {
  try {
    return await network.find(post);
  } catch (error) {
    if (error instanceof PostRefused && error.code === 'not_permitted') return null;
    throw error;
  }
}

/** Searches for a post whose answer was lost. @returns null when it is not there yet */
export const lookForPost = async ({
  organizationId,
  socialPostId: id,
  isLast,
}: PublishSocialPostInput & { isLast: boolean }): Promise<PostEnd | null> => {
  const post = await inTenant(organizationId, () => postUnderWay(id));
  const network = professionalNetwork();
  const found = post && network ? await findQuietly(network, post) : null;
  if (found) return inTenant(organizationId, () => recordPublished(id, found));
  return isLast ? inTenant(organizationId, () => giveUpPost(id)) : null;
};

/** Counts as not found when the application may not search or the network does not answer. */
async function findQuietly(network: NetworkPort, post: PostToSend): Promise<string | null> {
  try {
    return await network.find(post);
  } catch (error) {
    if (error instanceof PostRefused || error instanceof NetworkBusy || error instanceof NetworkUnavailable)
      return null;
    throw error;
  }
}
