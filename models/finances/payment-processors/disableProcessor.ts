import { audit } from '../../database/audit.js';
import { firstRow } from '../../database/rows.js';
import { type Processor, readProcessor } from './processor.js';
import { tellOtherAdmins } from './tellOtherAdmins.js';

/**
 * Takes no new payments through it. What is under way goes on with its key, and its events are heard for that alone.
 * Doing it again changes nothing. @throws Refusal not_found
 */
export async function disableProcessor(id: string): Promise<Processor> {
  const disabled = await firstRow<{ label: string }>(
    'UPDATE org_payment_processors SET disabled_at = now() WHERE id = $1 AND disabled_at IS NULL RETURNING label',
    [id],
  );
  if (disabled) {
    await audit({ action: 'payment_processor.disabled', subjectType: 'payment_processor', subjectId: id });
    await tellOtherAdmins('payment_processor_disabled', disabled.label);
  }
  return readProcessor(id);
}
