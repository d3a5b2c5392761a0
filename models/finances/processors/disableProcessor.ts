import { audit } from '../../database/audit.js';
import { firstRow } from '../../database/rows.js';
import { type Processor, readProcessor } from './processor.js';

/** Takes no new payments through it; events of earlier ones are still heard. Doing it again changes nothing. @throws Refusal not_found */
export async function disableProcessor(id: string): Promise<Processor> {
  const disabled = await firstRow(
    'UPDATE org_payment_processors SET disabled_at = now() WHERE id = $1 AND disabled_at IS NULL RETURNING id',
    [id],
  );
  if (disabled) await audit({ action: 'payment_processor.disabled', subjectType: 'payment_processor', subjectId: id });
  return readProcessor(id);
}
