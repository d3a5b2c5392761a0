import { audit } from '../../database/audit.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { told } from '../notifications.js';

/** Keeps money that says it is for something here that is not: never dropped, for an administrator to look at. */
export async function flagStrayCapture(charge: {
  processorId: string;
  intentId: string;
  amountCents: number;
  /** ISO 4217, lower case; null where the processor does not say. */
  currency: string | null;
}): Promise<void> {
  const kept = await firstRow<{ id: string }>(
    `INSERT INTO processor_captures (organization_id, processor_id, intent_id, amount_cents, currency, disposition)
     VALUES ($1, $2, $3, $4, substring($5 FROM '^[a-z]{3}$'), 'flagged') ON CONFLICT ON CONSTRAINT captures_intent_unique DO NOTHING RETURNING id`,
    [currentOrganization(), charge.processorId, charge.intentId, charge.amountCents, charge.currency],
  );
  if (!kept) return;
  await audit({
    action: 'capture.stray',
    subjectType: 'processor_capture',
    subjectId: kept.id,
    after: { processor_payment_id: charge.intentId, amount_cents: charge.amountCents },
  });
  await notify(told.payment_unmatched, [kept.id]);
}
