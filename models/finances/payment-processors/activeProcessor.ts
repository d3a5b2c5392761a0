import { firstRow } from '../../database/rows.js';
import { remittanceErrors } from '../remittances/errors.js';

export interface ActiveProcessor {
  id: string;
  provider: string;
  publishable_key: string | null;
}

/** The one processor that takes new money for the tenant; null where none is connected, or the last was disabled. */
export const findActiveProcessor = (): Promise<ActiveProcessor | null> =>
  firstRow<ActiveProcessor>(
    'SELECT id, provider, publishable_key FROM org_payment_processors WHERE disabled_at IS NULL',
  );

/** @throws Refusal payment_processor_required */
export async function requireActiveProcessor(): Promise<ActiveProcessor> {
  const processor = await findActiveProcessor();
  if (!processor) throw remittanceErrors.payment_processor_required();
  return processor;
}
