import { refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import type { MemberAddRequest } from '../../../models/organizations/member-add-requests/MemberAddRequest.js';
import { type Tier, tierOf } from '../../../models/organizations/member-add-requests/tiers.js';
import { requireDecidable } from '../../../models/organizations/requests/decide.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import { may } from '../../http/policy.js';
import { memberAddRequestPolicy } from './policy.js';

/**
 * Authorizes the actor to review a locked request now.
 * @returns the tier for which the actor decides
 * @throws Refusal forbidden, own_request, stale_version; request_closed, also when the request has left the actor's
 * tier
 */
export async function authorizeReview(actor: Actor, request: MemberAddRequest, version?: number): Promise<Tier> {
  const subject = { chapter_id: request.chapter_id };
  const isRegional = may(actor, memberAddRequestPolicy, 'review_regional', subject);
  const isOrganization = may(actor, memberAddRequestPolicy, 'review_organization', subject);
  if (!isRegional && !isOrganization) throw refuse.forbidden();
  requireDecidable(request, actor.userId, version);
  const tier = await tierOf(request);
  if (tier === 'organization' && !isOrganization) throw requestErrors.request_closed();
  if (tier === 'regional' && !isRegional) throw refuse.forbidden('An admin of the region must decide first.');
  return tier;
}
