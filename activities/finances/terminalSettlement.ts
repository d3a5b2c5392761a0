import { inTenant } from '../../models/database/tenancy.js';
import { followSettlement, type SettlementStep } from '../../models/finances/terminal-settlements/followSettlement.js';
import type { TerminalSettlementInput } from '../../workflows/contracts/terminalSettlement.js';

/** Takes a settlement as far as it can go now. Run again, it finds that done. */
export const followTerminalSettlement = ({
  organizationId,
  settlementId,
}: TerminalSettlementInput): Promise<SettlementStep> => inTenant(organizationId, () => followSettlement(settlementId));
