import { inTenant } from '../../models/database/tenancy.js';
import { checkTenantLedger } from '../../models/finances/ledger-checks/checkTenantLedger.js';
import {
  cancelLedgerCheck,
  finishLedgerCheck,
  readLedgerCheckEnd,
} from '../../models/finances/ledger-checks/endLedgerCheck.js';
import { type NightlyCheckBatch, startNightlyChecks } from '../../models/finances/ledger-checks/startNightlyChecks.js';
import type { LedgerCheckInput, LedgerCheckOutcome } from '../../workflows/contracts/ledgerCheck.js';
import { withHeartbeats } from '../withHeartbeats.js';

/** Checks the ledger and records the result. A repeated step returns the recorded result. */
export const runLedgerCheck = ({ organizationId, checkId }: LedgerCheckInput): Promise<LedgerCheckOutcome> =>
  withHeartbeats(async () => {
    const end = await inTenant(organizationId, () => readLedgerCheckEnd(checkId), { readOnly: true });
    if (end) return end;
    const ledger = await inTenant(organizationId, checkTenantLedger, { oneSnapshot: true });
    return inTenant(organizationId, () => finishLedgerCheck(checkId, ledger));
  });

export const stopLedgerCheck = ({ organizationId, checkId }: LedgerCheckInput): Promise<void> =>
  inTenant(organizationId, () => cancelLedgerCheck(checkId));

/** Creates tonight's checks of the next organizations after the cursor `after`. */
export const startNextLedgerChecks = (after: string | null): Promise<NightlyCheckBatch> => startNightlyChecks(after);
