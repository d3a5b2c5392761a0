import type { LedgerCheckOutcome } from '../../../workflows/contracts/ledgerCheck.js';
import { audit } from '../../database/audit.js';
import { changeRow, now } from '../../database/model/change.js';
import { loadIfExists } from '../../database/model/read.js';
import { RowMissing } from '../../errors.js';
import type { TenantLedger } from './checkTenantLedger.js';
import { LedgerCheck } from './LedgerCheck.js';
import { notifyOfFailedCheck } from './notifyOfFailedCheck.js';

/** Returns how a check ended; null while it runs. @throws RowMissing */
export async function readLedgerCheckEnd(id: string): Promise<LedgerCheckOutcome | null> {
  const check = await loadIfExists(LedgerCheck, id);
  if (!check) throw new RowMissing('There is no such ledger check.');
  return check.status === 'running' ? null : check.status;
}

/**
 * Records the result, unless the check has ended in the meantime. Platform admins are notified of a nightly check that
 * failed, in the same transaction, so once.
 * @returns how the check ended
 */
export async function finishLedgerCheck(
  id: string,
  { passed, examined, rules }: TenantLedger,
): Promise<LedgerCheckOutcome> {
  const status = passed ? 'passed' : 'failed';
  const ended = { status, examined, rules, finished_at: now } as const;
  const check = await changeRow(LedgerCheck, { id, status: 'running' }, ended);
  if (check) {
    if (!passed && check.night !== null) await notifyOfFailedCheck(id);
    return status;
  }
  const end = await readLedgerCheckEnd(id);
  if (end === null) throw new Error('The result of the ledger check was not recorded.');
  return end;
}

/** Cancels a check. Repeating it changes nothing. */
export async function cancelLedgerCheck(id: string): Promise<void> {
  const ended = { status: 'cancelled', finished_at: now } as const;
  if (!(await changeRow(LedgerCheck, { id, status: 'running' }, ended))) return;
  await audit({ action: 'ledger_check.cancelled', subjectType: 'ledger_check', subjectId: id });
}
