/** Kept cards belong to one account at a provider. While pledges live, the foundation keeps that account. */
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import type { Provider } from '../../finances/payment-processors/vocabulary.js';
import type { AccountIdentity } from '../../finances/payment-processors/processor.js';
import { foundationErrors } from '../errors.js';

/** Reports whether pledges that are not cancelled are charged through an account. */
export async function hasLivePledges(processorId: string): Promise<boolean> {
  const { found } = await oneRow<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM recurring_pledges WHERE organization_id = $1 AND processor_id = $2 AND status <> 'cancelled') AS found`,
    [currentOrganization(), processorId],
  );
  return found;
}

/**
 * Requires that a new key belongs to the account that keeps the cards of live pledges.
 * @returns whether there are live pledges
 * @throws Refusal pledges_depend_on_processor
 */
export async function requireSameAccount(
  processorId: string,
  provider: Provider,
  { accountId, livemode }: AccountIdentity,
): Promise<boolean> {
  if (!(await hasLivePledges(processorId))) return false;
  const { is_same } = await oneRow<{ is_same: boolean | null }>(
    `SELECT (provider, gateway_account_id, gateway_livemode) = ($3, $4, $5) AS is_same FROM org_payment_processors
      WHERE organization_id = $1 AND id = $2`,
    [currentOrganization(), processorId, provider, accountId, livemode],
  );
  if (!is_same) throw foundationErrors.pledges_depend_on_processor();
  return true;
}

/** Lets the pledges of an account be charged through another connection to the same account. */
export async function moveCards(from: string, to: string): Promise<void> {
  await rows('UPDATE recurring_pledges SET processor_id = $3 WHERE organization_id = $1 AND processor_id = $2', [
    currentOrganization(),
    from,
    to,
  ]);
}
