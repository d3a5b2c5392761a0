/** Money that waits for an administrator: a disputed part of a charge for three invoices, and an unmatched payment. */
import { inTenant } from '../../models/database/tenancy.js';
import { recordDisputes } from '../../models/finances/disputes/recordDisputes.js';
import { charged } from '../models/finances/ledger.support.js';
import { asOwner } from '../support/owner.js';
import type { World } from '../support/world.js';

export interface MoneyToDecide {
  world: World;
  /** The disputed 40.00 belong to no known invoice. */
  moneyCase: string;
  dispute: string;
  unmatched: string;
}

const CASE_CENTS = 4_000;
const DAY_MS = 86_400_000;

export async function moneyToDecide(): Promise<MoneyToDecide> {
  const { world, processorId, intentId } = await charged();
  const now = new Date();
  const withdrawn = { kind: 'withdrawn' as const, amountCents: CASE_CENTS, movementId: `txn_${intentId}`, at: now };
  await inTenant(world.organizationId, () =>
    recordDisputes(processorId, intentId, {
      askedAt: now.toISOString(),
      disputes: [
        {
          gatewayDisputeId: `dp_${intentId}`,
          reference: {},
          amountCents: CASE_CENTS,
          currency: 'usd',
          reason: 'fraudulent',
          decision: 'none',
          evidenceDueAt: new Date(now.getTime() + DAY_MS),
          openedAt: now,
          movements: [withdrawn],
        },
      ],
    }),
  );
  const idOf = async (statement: string, values: unknown[]): Promise<string> =>
    ((await asOwner<{ id: string }>(statement, values))[0] as { id: string }).id;
  return {
    world,
    moneyCase: await idOf('SELECT id FROM money_cases WHERE organization_id = $1', [world.organizationId]),
    dispute: await idOf('SELECT id FROM payment_disputes WHERE organization_id = $1', [world.organizationId]),
    unmatched: await idOf(
      `INSERT INTO processor_captures (organization_id, processor_id, intent_id, amount_cents, disposition)
       VALUES ($1, $2, 'pi_unmatched', 1000, 'flagged') RETURNING id`,
      [world.organizationId, processorId],
    ),
  };
}
