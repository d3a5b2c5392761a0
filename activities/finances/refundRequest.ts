import { inTenant } from '../../models/database/tenancy.js';
import { followRequest, type RequestStep } from '../../models/finances/refunds/followRequest.js';
import type { RefundRequestInput } from '../../workflows/contracts/refundRequest.js';

/** Sends the notifications that are due for a request, or expires it. A second run changes nothing. */
export const followRefundRequest = ({ organizationId, requestId }: RefundRequestInput): Promise<RequestStep> =>
  inTenant(organizationId, () => followRequest(requestId));
