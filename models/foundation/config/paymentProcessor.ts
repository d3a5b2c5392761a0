/**
 * The card processor account through which the foundation takes gifts, with settings that accounts for dues do not
 * have.
 */
import { createRow, editRow, lockForEditIfExists, removeRow } from '../../database/model/change.js';
import { loadIfExists } from '../../database/model/read.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { connectProcessor, type NewProcessor } from '../../finances/payment-processors/connectProcessor.js';
import { disableProcessor } from '../../finances/payment-processors/disableProcessor.js';
import { type AccountIdentity, type Processor, readProcessor } from '../../finances/payment-processors/processor.js';
import { foundationErrors } from '../errors.js';
import { hasLivePledges, moveCards, requireSameAccount } from '../pledges/processorOfPledges.js';
import { FoundationPaymentProcessor } from './FoundationPaymentProcessor.js';
import { lockConfig } from './readConfig.js';

export interface FoundationProcessor extends Processor {
  fee_pass_through: boolean;
}

/** Returns the connected account. @throws Refusal not_found */
export async function readFoundationProcessor(): Promise<FoundationProcessor> {
  const { processor_id, fee_pass_through } = requireFound(await loadIfExists(FoundationPaymentProcessor, {}));
  return { ...(await readProcessor(processor_id, 'foundation')), fee_pass_through };
}

/** Adds the foundation's settings to an account. For an account that was removed, the settings are false. */
export async function withFoundationSettings(processor: Processor): Promise<FoundationProcessor> {
  const settings = await loadIfExists(FoundationPaymentProcessor, { processor_id: processor.id });
  return { ...processor, fee_pass_through: settings?.fee_pass_through ?? false };
}

/**
 * Returns the id of the connected account, or of the one that was removed last: its pending payments and refunds still
 * need a valid key. @throws Refusal not_found
 */
export async function findLatestFoundationProcessor(): Promise<string> {
  const latest = await firstRow<{ id: string }>(
    `SELECT id FROM org_payment_processors WHERE organization_id = $1 AND purpose = 'foundation'
      ORDER BY disabled_at IS NULL DESC, id DESC LIMIT 1`,
    [currentOrganization()],
  );
  return requireFound(latest).id;
}

/**
 * Connects an account, which replaces the present one. Pending payments of the replaced account continue.
 * @returns the account, and whether it is the foundation's first one
 * @throws Refusal foundation_not_configured, webhook_secret_in_use, pledges_depend_on_processor
 */
export async function putFoundationProcessor(
  processor: NewProcessor,
  account: AccountIdentity,
  feePassThrough: boolean | undefined,
): Promise<{ isFirst: boolean; processor: FoundationProcessor }> {
  const { id: foundationId } = await lockConfig();
  const settings = await lockForEditIfExists(FoundationPaymentProcessor, {});
  const keepsCards =
    settings !== null && (await requireSameAccount(settings.processor_id, processor.provider, account));
  if (settings) await disableProcessor(settings.processor_id, 'foundation');
  const { id } = await connectProcessor(processor, account);
  if (keepsCards) await moveCards(settings.processor_id, id);
  const change = { processor_id: id, fee_pass_through: feePassThrough };
  if (settings) await editRow(settings, change);
  else await createRow(FoundationPaymentProcessor, { foundation_id: foundationId, ...change });
  return { isFirst: !settings, processor: await readFoundationProcessor() };
}

/** Changes the settings that only gifts have. @throws Refusal not_found */
export async function changeFoundationProcessor(edit: { fee_pass_through?: boolean | undefined }) {
  await editRow(requireFound(await lockForEditIfExists(FoundationPaymentProcessor, {})), edit);
  return readFoundationProcessor();
}

/**
 * Removes the account: it takes no new gifts. Pending payments and refunds continue.
 * @throws Refusal not_found, pledges_depend_on_processor
 */
export async function removeFoundationProcessor(): Promise<void> {
  await lockConfig();
  const { id, processor_id } = requireFound(await lockForEditIfExists(FoundationPaymentProcessor, {}));
  if (await hasLivePledges(processor_id)) throw foundationErrors.pledges_depend_on_processor();
  await disableProcessor(processor_id, 'foundation');
  await removeRow(FoundationPaymentProcessor, id);
}
