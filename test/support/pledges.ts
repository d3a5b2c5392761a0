/** Pledges for tests, with their periods and gifts. */
import { randomUUID } from 'node:crypto';
import { inTenant } from '../../models/database/tenancy.js';
import { keepCard } from '../../models/foundation/pledges/keptCard.js';
import type { Foundation } from './foundation.js';
import { aPaidGift } from './giving.js';
import { asOwner } from './owner.js';
import type { World } from './world.js';

export interface PledgeRow {
  id: string;
  donor_id: string;
  status: string;
  anchor_on: string;
  next_period: number;
  next_due_at: Date | null;
  resume_on: string | null;
  missed_in_a_row: number;
  card_encrypted: string | null;
  cancelled_at: Date | null;
  cancelled_by: string | null;
  cancel_reason: string | null;
  last_charged_at: Date | null;
  card_forgotten_at: Date | null;
}

/** The pledge that a gift has started, or belongs to. */
export async function pledgeOf(donationId: string): Promise<PledgeRow> {
  const [pledge] = await asOwner<PledgeRow & Record<string, unknown>>(
    'SELECT g.*, g.anchor_on::text, g.resume_on::text FROM recurring_pledges g JOIN donations d ON d.pledge_id = g.id WHERE d.id = $1',
    [donationId],
  );
  return pledge as PledgeRow;
}

export async function pledgeRow(id: string): Promise<PledgeRow> {
  const [pledge] = await asOwner<PledgeRow & Record<string, unknown>>(
    'SELECT *, anchor_on::text, resume_on::text FROM recurring_pledges WHERE id = $1',
    [id],
  );
  return pledge as PledgeRow;
}

/** The periods of a pledge after the first gift, with their gifts. */
export const periodsOf = (pledgeId: string) =>
  asOwner<Record<string, unknown>>(
    `SELECT p.n, p.status, p.tries, p.declines, p.missed_reason, p.confirming_at, p.next_try_at, p.donation_id, d.status AS gift,
            d.amount_cents::int, d.refunded_cents::int
       FROM pledge_periods p JOIN donations d ON d.id = p.donation_id WHERE p.pledge_id = $1 AND p.n > 0 ORDER BY p.n`,
    [pledgeId],
  );

/** The gift of an opened period. */
export async function periodGiftOf(pledgeId: string, n = 1): Promise<string> {
  const [period] = await asOwner<{ donation_id: string }>(
    'SELECT donation_id FROM pledge_periods WHERE pledge_id = $1 AND n = $2',
    [pledgeId, n],
  );
  return (period as { donation_id: string }).donation_id;
}

/** The mails of a pledge, oldest first. */
export const noticesOf = async (pledgeId: string): Promise<string[]> =>
  (await asOwner<{ kind: string }>('SELECT kind FROM pledge_notices WHERE pledge_id = $1 ORDER BY id', [pledgeId])).map(
    ({ kind }) => kind,
  );

/** A pledge with a kept card that no provider knows, started by a gift that an event has completed. */
export async function aPledge(
  world: Pick<World, 'organizationId'>,
  foundation: Foundation,
  more: Record<string, unknown> = {},
): Promise<PledgeRow> {
  const donationId = await aPaidGift(world, foundation, {
    is_recurring: true,
    recurring_interval: 'monthly',
    ...more,
  });
  const card = { donationId, processorId: foundation.processorId, keptCard: `cus_${randomUUID()}:pm_test` };
  await inTenant(world.organizationId, () => keepCard(card));
  return pledgeOf(donationId);
}

/** Moves a pledge into the past, so that its period `n` was due `days` ago. */
export async function letPeriodBeDue(pledgeId: string, n = 1, days = 0): Promise<void> {
  await asOwner(
    `WITH moved AS (
       SELECT g.id, (now() - make_interval(days => $3 + 1,
                months => $2 * CASE g.recurring_interval WHEN 'monthly' THEN 1 WHEN 'quarterly' THEN 3 ELSE 12 END))::date AS anchor
         FROM recurring_pledges g WHERE g.id = $1)
     UPDATE recurring_pledges g SET anchor_on = m.anchor,
            next_due_at = app.pledge_due_at('UTC', g.id, app.pledge_due_on(m.anchor, g.recurring_interval, g.next_period))
       FROM moved m WHERE g.id = m.id`,
    [pledgeId, n, days],
  );
}
