import { refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { requireDecidable } from '../../../models/organizations/requests/decide.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import {
  type TransferTier,
  transferTierOf,
} from '../../../models/organizations/transfer-requests/reviewTransferRequest.js';
import type { TransferRequest } from '../../../models/organizations/transfer-requests/TransferRequest.js';
import { may } from '../../http/policy.js';
import { transferRequestPolicy } from './policy.js';

/**
 * Whether this person decides a locked request at this moment. Nobody decides their own transfer, whoever has asked for it.
 * @returns the tier that they decide for
 * @throws Refusal forbidden, own_request, stale_version; request_closed, also where it has left the tier that is theirs
 */
export async function authorizeReview(actor: Actor, request: TransferRequest, version?: number): Promise<TransferTier> {
  const isOfficer = may(actor, transferRequestPolicy, 'review_destination', { chapter_id: request.to_chapter_id });
  const isOrganization = may(actor, transferRequestPolicy, 'review_organization');
  if (!isOfficer && !isOrganization) throw refuse.forbidden();
  if (actor.membershipIds.includes(request.membership_id)) throw requestErrors.own_request();
  requireDecidable(request, actor.userId, version);
  const tier = await transferTierOf(request);
  if (tier === 'organization' && !isOrganization) throw requestErrors.request_closed();
  if (tier === 'destination' && !isOfficer) throw refuse.forbidden('An officer of the other chapter decides first.');
  return tier;
}
