import { audit } from '../../database/audit.js';
import { changeRow, now } from '../../database/model/change.js';
import { OrgPaymentProcessor } from './OrgPaymentProcessor.js';
import { type Processor, readProcessor } from './processor.js';
import { tellOtherAdmins } from './tellOtherAdmins.js';

/**
 * Takes no new payments through it. What is under way goes on with its key, and its events are heard for that alone.
 * Doing it again changes nothing. @throws Refusal not_found
 */
export async function disableProcessor(id: string): Promise<Processor> {
  const disabled = await changeRow(OrgPaymentProcessor, { id, disabled_at: null }, { disabled_at: now });
  if (disabled) {
    await audit({ action: 'payment_processor.disabled', subjectType: 'payment_processor', subjectId: id });
    await tellOtherAdmins('payment_processor_disabled', disabled.label);
  }
  return readProcessor(id);
}
