import { loadIfExists } from '../../database/model/read.js';
import { remittanceErrors } from '../remittances/errors.js';
import { OrgPaymentProcessor, type Purpose } from './OrgPaymentProcessor.js';

/** Finds the processor that takes the tenant's new payments; null where none is connected or the last was disabled. */
export const findActiveProcessor = (purpose: Purpose = 'dues'): Promise<OrgPaymentProcessor | null> =>
  loadIfExists(OrgPaymentProcessor, { purpose, disabled_at: null });

/** Returns the processor that takes dues. @throws Refusal payment_processor_required */
export async function requireActiveProcessor(): Promise<OrgPaymentProcessor> {
  const processor = await findActiveProcessor();
  if (!processor) throw remittanceErrors.payment_processor_required();
  return processor;
}
