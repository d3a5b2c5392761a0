/** Compares refunds of our charges with the processor's own account. */
import type { Client } from 'pg';
import type { CapturedCharge, GatewayLedger } from '../../gateways/payments/stripeLedger.js';
import { type Capture, GRACE_MS, refundsInFlight } from './books.js';

/**
 * Returns charges whose refunds at the provider do not add up to the refunds in our records, because a refund was not
 * reported or has failed. A charge with a refund in flight, or with one of the last minute, is not judged yet.
 */
export async function differingRefunds(
  client: Client,
  ledger: GatewayLedger,
  charges: Map<string, CapturedCharge>,
  captures: Map<string, Capture>,
): Promise<Record<string, unknown>[]> {
  const inFlight = await refundsInFlight(client, [...charges.keys()]);
  const violations: Record<string, unknown>[] = [];
  for (const { intentId, hasRefunds } of charges.values()) {
    const capture = captures.get(intentId);
    if (!capture || inFlight.has(intentId) || !(hasRefunds || capture.refunded_cents > 0)) continue;
    const { cents, lastAt } = await ledger.refunded(intentId);
    const isRecent = lastAt !== null && Date.now() - lastAt.getTime() < GRACE_MS;
    if (cents === capture.refunded_cents || isRecent) continue;
    violations.push({
      problem: 'refunded amount differs from the recorded amount',
      organization_id: capture.organization_id,
      intent_id: intentId,
      refunded_cents: cents,
      noted_cents: capture.refunded_cents,
    });
  }
  return violations;
}
