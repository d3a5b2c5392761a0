import { refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { requireDecidable } from '../../../models/organizations/requests/decide.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import {
  type StatusTier,
  findStatusTier,
} from '../../../models/organizations/status-change-requests/reviewStatusChangeRequest.js';
import type { StatusChangeRequest } from '../../../models/organizations/status-change-requests/StatusChangeRequest.js';
import { may } from '../../http/policy.js';
import { statusChangeRequestPolicy } from './policy.js';

/**
 * Authorizes the actor to review a locked request now.
 * @returns the tier for which the actor decides
 * @throws Refusal forbidden, own_request, stale_version; request_closed, also when the request has left the actor's
 * tier
 */
export async function authorizeReview(
  actor: Actor,
  request: StatusChangeRequest,
  version?: number,
): Promise<StatusTier> {
  const isOfficer = may(actor, statusChangeRequestPolicy, 'review_officer', { chapter_id: request.chapter_id });
  const isOrganization = may(actor, statusChangeRequestPolicy, 'review_organization');
  if (!isOfficer && !isOrganization) throw refuse.forbidden();
  requireDecidable(request, actor.userId, version);
  const tier = await findStatusTier(request);
  if (tier === 'organization' && !isOrganization) throw requestErrors.request_closed();
  if (tier === 'officer' && !isOfficer) throw refuse.forbidden('An officer of the chapter must decide first.');
  return tier;
}
