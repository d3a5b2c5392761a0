/** Charges of pledges: each process from its start until its period is paid. */
import '../../models/wireAreas.js';
import { followPledge } from '../../activities/foundation/pledges.js';
import { config } from '../../config.js';
import { queueName, temporal } from '../../gateways/temporal/client.js';
import { encrypt } from '../../models/database/encryption.js';
import { inTenant } from '../../models/database/tenancy.js';
import { loadProcessorAccess } from '../../models/finances/attempts/processorAccess.js';
import { pledgeCharge } from '../../workflows/contracts/index.js';
import type { PledgeChargeInput } from '../../workflows/contracts/pledgeCharge.js';
import { startOptions } from '../../workflows/contracts/startOptions.js';
import { withClient } from '../stack/roles.js';
import { type InsertedPledge, insertPledges } from './pledges.js';

/**
 * Inserts pledges with a card that the provider keeps, and opens the due period of each.
 * @returns the inputs of the processes that charge the periods
 */
export function preparePledgeCharges(ownerUrl: string, count: number): Promise<PledgeChargeInput[]> {
  return withClient(ownerUrl, async (owner) => {
    const pledges = await insertPledges(owner, 'due', count);
    const cards = await keepCards(pledges);
    const sealed = pledges.map(({ id, processorId }) => ({
      id,
      card: encrypt(cards.get(processorId) as string, {
        table: 'recurring_pledges',
        column: 'card_encrypted',
        rowId: id,
      }),
    }));
    await owner.query(
      `UPDATE recurring_pledges g SET card_encrypted = p.card
         FROM jsonb_to_recordset($1::jsonb) AS p (id uuid, card text) WHERE g.id = p.id`,
      [JSON.stringify(sealed)],
    );
    const inputs: PledgeChargeInput[] = [];
    for (const { id: pledgeId, organizationId } of pledges) {
      const { period } = await followPledge({ organizationId, pledgeId });
      if (period === null) throw new Error('The period of a due pledge was not opened.');
      inputs.push({ organizationId, pledgeId, period: String(period) });
    }
    return inputs;
  });
}

/** Runs the process of a period until it ends. @returns whether the period is paid */
export async function chargePeriod(input: PledgeChargeInput): Promise<boolean> {
  const options = { ...startOptions(pledgeCharge, input, null), taskQueue: queueName(pledgeCharge.taskQueue) };
  return (await temporal().workflow.execute(pledgeCharge.name, options)) === 'paid';
}

/** Keeps a card at each account of the gateway. @returns the token of the card, by processor */
async function keepCards(pledges: InsertedPledge[]): Promise<Map<string, string>> {
  const tokens = new Map<string, string>();
  for (const { organizationId, processorId } of pledges) {
    if (tokens.has(processorId)) continue;
    const { credentials } = await inTenant(organizationId, () => loadProcessorAccess(processorId));
    const post = (path: string, form: Record<string, string>) => postToGateway(credentials.secret_key, path, form);
    const customer = await post('customers', { email: 'donor@bench.example.org' });
    const method = await post('payment_methods', { type: 'card', 'card[token]': 'tok_visa' });
    await post(`payment_methods/${method}/attach`, { customer });
    tokens.set(processorId, `${customer}:${method}`);
  }
  return tokens;
}

/** @returns the id of the object that the gateway created or changed */
async function postToGateway(secretKey: string, path: string, form: Record<string, string>): Promise<string> {
  const response = await fetch(`${config.STRIPE_API_URL}/v1/${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secretKey}` },
    body: new URLSearchParams(form),
  });
  if (!response.ok) throw new Error(`The gateway answered ${response.status} to ${path}: ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}
