/**
 * Changes of processor accounts for which the provider must be asked. The accounts for dues and the accounts for gifts
 * share this code.
 */
import type { z } from 'zod';
import { inTenant } from '../../../models/database/tenancy.js';
import { credentialsFor, type NewProcessor } from '../../../models/finances/payment-processors/connectProcessor.js';
import type { Purpose } from '../../../models/finances/payment-processors/OrgPaymentProcessor.js';
import type { AccountIdentity, Processor } from '../../../models/finances/payment-processors/processor.js';
import { readPreviousKey, rotateProcessor } from '../../../models/finances/payment-processors/rotateProcessor.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { ownTransaction } from '../../http/dispatch.js';
import { AfterCommit, type Answer, type RequestFacts } from '../../http/routes.js';
import { webhookUrl } from '../webhooks/address.js';
import { readKeyAccount, requireSameAccount, verifyCredentials } from './accounts.js';
import type { ProcessorConnect, ProcessorRotate } from './schema.js';

interface Caller {
  actor: Actor;
  request: RequestFacts;
}

export const presentProcessor = (processor: Processor) => ({ ...processor, webhook_url: webhookUrl(processor.id) });

/**
 * Runs `work` in a transaction of its own, after the provider has answered. After the commit, starts the sending of the
 * mails that `work` has written.
 */
const commit = <T>({ actor, request }: Caller, work: () => Promise<T>): Promise<T> =>
  inTenant(actor.organizationId, work, ownTransaction(request, actor));

/**
 * Asks the provider which account a new key belongs to, and then connects it. @param connect runs in a transaction of
 * its own. @throws Refusal validation_error, unavailable
 */
export function connectAfterCommit<T>(
  caller: Caller,
  { secret_key, credentials: settings, ...processor }: z.output<typeof ProcessorConnect> & { purpose: Purpose },
  connect: (processor: NewProcessor, account: AccountIdentity) => Promise<T | Answer<T>>,
): AfterCommit<T> {
  const credentials = credentialsFor(processor.provider, secret_key, settings);
  return new AfterCommit(async () => {
    const account = await readKeyAccount(processor.provider, credentials);
    return commit(caller, () => connect({ ...processor, credentials }, account));
  });
}

/**
 * Replaces secrets. A new key is first compared with the previous one at the provider. @param present runs in the
 * transaction of the change. @throws Refusal not_found, stale_version, processor_other_account, webhook_secret_in_use,
 * unavailable
 */
export async function rotate<T>(
  caller: Caller,
  id: string,
  { secret_key: secretKey, credentials: settings, ...rest }: z.output<typeof ProcessorRotate>,
  purpose: Purpose,
  present: (processor: Processor) => Promise<T>,
): Promise<T | AfterCommit<T>> {
  if ((secretKey ?? settings) === undefined) return present(await rotateProcessor(id, purpose, rest));
  const previous = await readPreviousKey(id, purpose, rest);
  const { secret_key: keyBefore, ...settingsBefore } = previous.credentials;
  const credentials = credentialsFor(previous.provider, secretKey ?? keyBefore, { ...settingsBefore, ...settings });
  return new AfterCommit(async () => {
    const account = await requireSameAccount(previous, credentials);
    return commit(caller, async () => present(await rotateProcessor(id, purpose, { ...rest, credentials }, account)));
  });
}

/** Asks the provider whether the credentials still work. Changes nothing. @throws Refusal not_found, unavailable */
export async function verify(id: string, purpose: Purpose) {
  const current = await readPreviousKey(id, purpose, {});
  return new AfterCommit(() => verifyCredentials(current));
}
