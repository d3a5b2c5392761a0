import { inTenant } from '../../models/database/tenancy.js';
import { followRequest, type RequestStep } from '../../models/finances/refunds/followRequest.js';
import type { RefundRequestInput } from '../../workflows/contracts/refundRequest.js';

/** Does what is due for a request at this time. A second run finds it done. */
export const followRefundRequest = ({ organizationId, requestId }: RefundRequestInput): Promise<RequestStep> =>
  inTenant(organizationId, () => followRequest(requestId));
