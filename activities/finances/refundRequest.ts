import { inTenant } from '../../models/database/tenancy.js';
import { followRequest, type RequestStep } from '../../models/finances/refunds/followRequest.js';
import type { RefundRequestInput } from '../../workflows/contracts/refundRequest.js';

/** Does what a request's time asks for. Run again, it finds that done. */
export const followRefundRequest = ({ organizationId, requestId }: RefundRequestInput): Promise<RequestStep> =>
  inTenant(organizationId, () => followRequest(requestId));
