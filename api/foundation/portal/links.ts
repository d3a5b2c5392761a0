/** Requests a link with which a donor signs in. The JSON route and the page share this. */
import { requestDonorLink } from '../../../models/foundation/portal/requestDonorLink.js';
import { ownTransaction } from '../../http/dispatch.js';
import type { RequestFacts } from '../../http/routes.js';
import { spendingOnTarget } from '../../http/throttles/spend.js';
import { inFoundation } from '../inFoundation.js';

/** @throws Refusal not_found for an unknown foundation; throttled. Nothing depends on whether the address is known */
export const requestLink = (request: RequestFacts, foundationId: string, email: string): Promise<void> =>
  inFoundation(foundationId, ownTransaction(request), () =>
    requestDonorLink(foundationId, email, (digest) => spendingOnTarget('donor_link_email', digest)),
  );
