import { refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { requireDecidable } from '../../../models/organizations/requests/decide.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import {
  type StatusTier,
  statusTierOf,
} from '../../../models/organizations/status-change-requests/reviewStatusChangeRequest.js';
import type { StatusChangeRequest } from '../../../models/organizations/status-change-requests/StatusChangeRequest.js';
import { may } from '../../http/policy.js';
import { statusChangeRequestPolicy } from './policy.js';

/**
 * Whether this person decides a locked request at this moment.
 * @returns the tier that they decide for
 * @throws Refusal forbidden, own_request, stale_version; request_closed, also where it has left the tier that is theirs
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
  const tier = await statusTierOf(request);
  if (tier === 'organization' && !isOrganization) throw requestErrors.request_closed();
  if (tier === 'officer' && !isOfficer) throw refuse.forbidden('An officer of the chapter decides first.');
  return tier;
}
