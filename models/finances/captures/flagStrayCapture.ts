import { audit } from '../../database/audit.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { notifications } from '../notifications.js';

/** Records an unmatched payment and flags it, so that an administrator decides about it. */
export async function flagStrayCapture(charge: {
  processorId: string;
  intentId: string;
  amountCents: number;
  /** ISO 4217 code in lower case; null if the processor does not report the currency. */
  currency: string | null;
}): Promise<void> {
  const flagged = await firstRow<{ id: string }>(
    `INSERT INTO processor_captures (organization_id, processor_id, intent_id, amount_cents, currency, disposition)
     VALUES ($1, $2, $3, $4, substring($5 FROM '^[a-z]{3}$'), 'flagged') ON CONFLICT ON CONSTRAINT captures_intent_unique DO NOTHING RETURNING id`,
    [currentOrganization(), charge.processorId, charge.intentId, charge.amountCents, charge.currency],
  );
  if (!flagged) return;
  await audit({
    action: 'capture.stray',
    subjectType: 'processor_capture',
    subjectId: flagged.id,
    after: { processor_payment_id: charge.intentId, amount_cents: charge.amountCents },
  });
  await notify(notifications.payment_unmatched, [flagged.id]);
}
