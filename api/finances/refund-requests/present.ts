import type { ShownRow } from '../../../models/database/model/read.js';
import type { RefundRequest } from '../../../models/finances/refunds/RefundRequest.js';
import { withoutAmounts } from '../amounts.js';

/**
 * Presents a request.
 * @param hidden whether the reader is the requesting officer and sees no amounts; the reason that this officer wrote
 * stays visible
 */
export const presentRequest = (
  row: ShownRow<typeof RefundRequest>,
  { hidden }: { hidden: boolean },
): ShownRow<typeof RefundRequest> => (hidden ? withoutAmounts(row, { reason: row.reason }) : row);
