/** Compares refunds of our charges with the processor's own account. */
import type { Client } from 'pg';
import type { CapturedCharge, GatewayLedger } from '../../gateways/payments/stripeLedger.js';
import { type Capture, GRACE_MS, refundsUnderway } from './books.js';

/**
 * Charges whose refunded amount differs from the recorded one: an unreported or a failed refund. Covers every charge
 * with refunds on either side; refunds of the last minute count as in flight.
 */
export async function unnotedRefunds(
  client: Client,
  ledger: GatewayLedger,
  theirs: Map<string, CapturedCharge>,
  ours: Map<string, Capture>,
): Promise<Record<string, unknown>[]> {
  const underway = await refundsUnderway(client, [...theirs.keys()]);
  const found: Record<string, unknown>[] = [];
  for (const { intentId, hasRefunds } of theirs.values()) {
    const noted = ours.get(intentId);
    if (!noted || underway.has(intentId) || !(hasRefunds || noted.refunded_cents > 0)) continue;
    const { cents, lastAt } = await ledger.refunded(intentId);
    const isYoung = lastAt !== null && Date.now() - lastAt.getTime() < GRACE_MS;
    if (cents === noted.refunded_cents || isYoung) continue;
    found.push({
      problem: 'gave back another amount than we noted',
      organization_id: noted.organization_id,
      intent_id: intentId,
      refunded_cents: cents,
      noted_cents: noted.refunded_cents,
    });
  }
  return found;
}
