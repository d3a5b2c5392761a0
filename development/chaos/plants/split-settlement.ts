/**
 * Planted bug: a settlement uses two transactions. The first records the capture and marks the remittance as settled;
 * the second credits the members. If the worker dies between the transactions, no member is credited, and every later
 * try finds the remittance settled already.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { currentOrganization, rows } from '../../../models/database/rows.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { concludeAttempt } from '../../../models/finances/attempts/concludeAttempt.js';
import { lockRemittance } from '../../../models/finances/remittances/remittance.js';
import * as settling from '../../../models/finances/remittances/settleRemittance.js';
import { replace } from './replace.js';

const { settleRemittance, insertChildPayments: creditMembers } = settling;
/** Delay between the two transactions, as on a busy server. */
const DELAY_MS = 1_000;

replace(settling, {
  settleRemittance: async (charge: settling.CapturedCharge) => {
    const marked = await inTenant(currentOrganization(), () => markSettled(charge));
    // Only this settlement is split. In all other cases the real operation runs.
    if (!marked) return settleRemittance(charge);
    await sleep(DELAY_MS);
    await creditMembers(charge);
    return 'settled';
  },
});

async function markSettled(charge: settling.CapturedCharge): Promise<boolean> {
  const remittance = await lockRemittance(charge.remittanceId);
  if (remittance?.status !== 'processing' || remittance.total_cents !== charge.amountCents) return false;
  const captures = await rows(
    `INSERT INTO processor_captures (organization_id, processor_id, intent_id, remittance_id, amount_cents, disposition)
     VALUES ($1, $2, $3, $4, $5, 'recorded') ON CONFLICT DO NOTHING RETURNING id`,
    [currentOrganization(), charge.processorId, charge.intentId, charge.remittanceId, charge.amountCents],
  );
  if (captures.length === 0) return false;
  await rows('UPDATE chapter_remittances SET processor_payment_id = $2, settled_at = now() WHERE id = $1', [
    charge.remittanceId,
    charge.intentId,
  ]);
  await concludeAttempt({ intentId: charge.intentId, processorId: charge.processorId }, { status: 'succeeded' });
  return true;
}
