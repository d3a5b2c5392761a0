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

/** @returns seconds; null of a post that nobody wants published now */
export const untilPostIsDue = ({ organizationId, socialPostId }: PublishSocialPostInput): Promise<number | null> =>
  inTenant(organizationId, () => secondsUntilDue(socialPostId));

/**
 * Sends a post that is due. Its claim is committed before the network is asked: of a try that died in between, the next
 * one says `unknown`, and sends nothing.
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
      // Over an ended link nobody has looked.
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
 * One that may be there is looked for first; of two that are alike the network takes the first. Where the application may
 * not look, its author has, who says again.
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

/** A network that does not answer, or ends the link, is no answer: nothing is sent on that. */
async function findIfAllowed(network: NetworkPort, post: PostToSend): Promise<string | null> {
  try {
    return await network.find(post);
  } catch (error) {
    if (error instanceof PostRefused && error.code === 'not_permitted') return null;
    throw error;
  }
}

/** Looks for a post whose answer was lost. @returns null when it is not there yet */
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

/** An application that may not look, or a network that does not answer, has not found it. */
async function findQuietly(network: NetworkPort, post: PostToSend): Promise<string | null> {
  try {
    return await network.find(post);
  } catch (error) {
    if (error instanceof PostRefused || error instanceof NetworkBusy || error instanceof NetworkUnavailable)
      return null;
    throw error;
  }
}
