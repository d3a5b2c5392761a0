import { audit } from '../../database/audit.js';
import { firstRow, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { financesErrors } from '../errors.js';
import { type Processor, readProcessor, seal, unseal } from './processor.js';

interface Sealed {
  webhook_secret_encrypted: string;
  previous_webhook_secret_encrypted: string | null;
  secret_key_encrypted: string;
  disabled_at: Date | null;
  version: number;
}

export interface NewSecrets {
  secret_key?: string | undefined;
  webhook_secret?: string | undefined;
  version?: number | undefined;
}

/**
 * Replaces secrets. The webhook secret before this one stays valid, for events that are signed with it already.
 * @throws Refusal not_found, processor_disabled, stale_version
 */
export async function rotateProcessor(
  id: string,
  { secret_key, webhook_secret, version }: NewSecrets,
): Promise<Processor> {
  const stored = await firstRow<Sealed>('SELECT * FROM org_payment_processors WHERE id = $1 FOR UPDATE', [id]);
  if (!stored) throw refuse.not_found();
  if (stored.disabled_at) throw financesErrors.processor_disabled();
  if (version !== undefined && version !== stored.version) throw refuse.stale_version();

  const sealed = { ...stored };
  if (secret_key !== undefined) sealed.secret_key_encrypted = seal(id, 'secret_key_encrypted', secret_key);
  if (webhook_secret !== undefined) {
    const before = unseal(id, 'webhook_secret_encrypted', stored.webhook_secret_encrypted);
    sealed.webhook_secret_encrypted = seal(id, 'webhook_secret_encrypted', webhook_secret);
    // Sending the same secret again must not lose the one before it.
    if (before !== webhook_secret)
      sealed.previous_webhook_secret_encrypted = seal(id, 'previous_webhook_secret_encrypted', before);
  }
  await rows(
    `UPDATE org_payment_processors
        SET secret_key_encrypted = $2, webhook_secret_encrypted = $3, previous_webhook_secret_encrypted = $4 WHERE id = $1`,
    [id, sealed.secret_key_encrypted, sealed.webhook_secret_encrypted, sealed.previous_webhook_secret_encrypted],
  );
  const rotated = [
    secret_key === undefined ? [] : 'secret_key',
    webhook_secret === undefined ? [] : 'webhook_secret',
  ].flat();
  await audit({
    action: 'payment_processor.rotated',
    subjectType: 'payment_processor',
    subjectId: id,
    after: { rotated },
  });
  return readProcessor(id);
}
