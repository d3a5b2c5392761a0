import type { ShownRow } from '../../../models/database/model/read.js';
import type { RefundRequest } from '../../../models/finances/refunds/RefundRequest.js';

/** @param hidden whether it is read by an officer who sees no amounts */
export const presentRequest = (
  row: ShownRow<typeof RefundRequest>,
  { hidden }: { hidden: boolean },
): ShownRow<typeof RefundRequest> => (hidden ? { ...row, amount_cents: null } : row);
