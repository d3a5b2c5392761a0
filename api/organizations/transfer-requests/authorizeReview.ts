import { refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { requireDecidable } from '../../../models/organizations/requests/decide.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import {
  type TransferTier,
  findTransferTier,
} from '../../../models/organizations/transfer-requests/reviewTransferRequest.js';
import type { TransferRequest } from '../../../models/organizations/transfer-requests/TransferRequest.js';
import { may } from '../../http/policy.js';
import { transferRequestPolicy } from './policy.js';

/**
 * Authorizes the actor to review a locked request now. No one may review their own transfer, even if another person
 * requested it.
 * @returns the tier for which the actor decides
 * @throws Refusal forbidden, own_request, stale_version; request_closed, also when the request has left the actor's
 * tier
 */
export async function authorizeReview(actor: Actor, request: TransferRequest, version?: number): Promise<TransferTier> {
  const isOfficer = may(actor, transferRequestPolicy, 'review_destination', { chapter_id: request.to_chapter_id });
  const isOrganization = may(actor, transferRequestPolicy, 'review_organization');
  if (!isOfficer && !isOrganization) throw refuse.forbidden();
  if (actor.membershipIds.includes(request.membership_id)) throw requestErrors.own_request();
  requireDecidable(request, actor.userId, version);
  const tier = await findTransferTier(request);
  if (tier === 'organization' && !isOrganization) throw requestErrors.request_closed();
  if (tier === 'destination' && !isOfficer)
    throw refuse.forbidden('An officer of the destination chapter must decide first.');
  return tier;
}
