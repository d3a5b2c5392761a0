import { inTenant } from '../../models/database/tenancy.js';
import { followSettlement, type SettlementStep } from '../../models/finances/terminal-settlements/followSettlement.js';
import type { TerminalSettlementInput } from '../../workflows/contracts/terminalSettlement.js';

/** Advances a settlement as far as possible now. A second run changes nothing. */
export const followTerminalSettlement = ({
  organizationId,
  settlementId,
}: TerminalSettlementInput): Promise<SettlementStep> => inTenant(organizationId, () => followSettlement(settlementId));
