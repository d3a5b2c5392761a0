import { audit } from '../../database/audit.js';
import { changeRow, now } from '../../database/model/change.js';
import { OrgPaymentProcessor, type Purpose } from './OrgPaymentProcessor.js';
import { type Processor, readProcessor } from './processor.js';
import { notifyOtherAdmins } from './notifyOtherAdmins.js';

/**
 * Disables a processor for new payments. Pending work continues with its key, and its webhook events are processed only
 * for that work. Repeated, it changes nothing.
 * @throws Refusal not_found
 */
export async function disableProcessor(id: string, purpose: Purpose): Promise<Processor> {
  const disabled = await changeRow(OrgPaymentProcessor, { id, purpose, disabled_at: null }, { disabled_at: now });
  if (disabled) {
    await audit({ action: 'payment_processor.disabled', subjectType: 'payment_processor', subjectId: id });
    await notifyOtherAdmins('payment_processor_disabled', id);
  }
  return readProcessor(id, purpose);
}
