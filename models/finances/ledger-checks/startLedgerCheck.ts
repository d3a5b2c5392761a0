import { ledgerCheck } from '../../../workflows/contracts/index.js';
import { createRow } from '../../database/model/change.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization } from '../../database/rows.js';
import { LedgerCheck } from './LedgerCheck.js';

/** Starts a check of the organization's ledger for a person. @throws Refusal check_running */
export async function startLedgerCheck(userId: string): Promise<{ id: string; workflowId: string }> {
  const { id } = await createRow(LedgerCheck, { requested_by: userId });
  await enqueue(ledgerCheck, { checkId: id });
  return { id, workflowId: ledgerCheck.workflowId({ organizationId: currentOrganization(), checkId: id }) };
}
