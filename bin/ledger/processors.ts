/** Checks against each processor's own account that every captured amount is recorded or flagged. */
import type { Client } from 'pg';
import { config } from '../../config.js';
import { portLedger, describePortFailure } from '../../gateways/payments/portLedger.js';
import { paymentPort } from '../../gateways/payments/processors.js';
import {
  type CapturedCharge,
  type GatewayLedger,
  stripeLedger,
  describeFailure,
} from '../../gateways/payments/stripeLedger.js';
import { parseCredentials } from '../../models/finances/attempts/processorAccess.js';
import { type Provider, PROVIDERS } from '../../models/finances/payment-processors/OrgPaymentProcessor.js';
import { providerFacts } from '../../models/finances/payment-processors/providers.js';
import { decrypt } from '../../models/database/encryption.js';
import { attemptsOf, type Capture, capturesOf, type Comparison, GRACE_MS, mayBeRecordedLater } from './books.js';
import { differingRefunds } from './refunds.js';

interface Processor {
  id: string;
  organization_id: string;
  provider: Provider;
  secret_key_encrypted: string;
  is_disabled: boolean;
}

export interface ProcessorComparisons {
  comparisons: Comparison[];
  /** A line for each processor that could not be queried. */
  notQueried: string[];
}

/**
 * Compares the account of every processor with our captures of charges opened after `since`. Disabled processors are
 * included while their keys work. A processor that cannot be queried does not stop the others.
 */
export async function compareWithProcessors(
  client: Client,
  since: Date,
  providers: readonly Provider[] = PROVIDERS,
): Promise<ProcessorComparisons> {
  const { rows } = await client.query<Processor>(
    `SELECT id, organization_id, provider, secret_key_encrypted, disabled_at IS NOT NULL AS is_disabled
       FROM org_payment_processors ORDER BY organization_id, id`,
  );
  const comparisons: Comparison[] = [];
  const notQueried: string[] = [];
  for (const processor of rows.filter(({ provider }) => providers.includes(provider))) {
    try {
      comparisons.push(await compare(client, processor, since));
    } catch (error) {
      const { id, organization_id, is_disabled } = processor;
      const which = `Processor ${id} of organization ${organization_id}${is_disabled ? ' (disabled)' : ''}`;
      notQueried.push(`${which} could not be queried: ${describePortFailure(error) ?? describeFailure(error)}.`);
    }
  }
  return { comparisons, notQueried };
}

/**
 * Returns the charges of a processor's account. Stripe lists charges by opening time, with their captures; the other
 * providers list money movements.
 */
function ledgerOf({ id, provider, secret_key_encrypted }: Processor): GatewayLedger {
  const context = { table: 'org_payment_processors', column: 'secret_key_encrypted', rowId: id };
  const credentials = parseCredentials(decrypt(secret_key_encrypted, context));
  if (provider === 'stripe') return stripeLedger(credentials.secret_key, config.STRIPE_API_URL);
  const until = new Date(Date.now() - providerFacts(provider).listCompleteAfterMinutes * 60_000);
  return portLedger(paymentPort({ provider, credentials }), until);
}

async function compare(client: Client, processor: Processor, since: Date): Promise<Comparison> {
  const ledger = ledgerOf(processor);
  const charges = new Map<string, CapturedCharge>();
  for await (const charge of ledger.capturedSince(since)) {
    // The account may also be used outside of the platform. Charges of other origin do not name the organization and
    // are ignored.
    if (charge.reference['organization_id'] === processor.organization_id) charges.set(charge.intentId, charge);
  }
  const namedCharges = [...charges.values()].map(({ intentId, reference }) => ({
    intentId,
    attemptId: reference['attempt_id'],
  }));
  const attempts = await attemptsOf(client, namedCharges, processor.organization_id);
  const captures = await capturesOf(client, [...charges.keys()]);
  const open = [...charges.values()].filter(
    ({ intentId, createdAt }) =>
      !captures.has(intentId) &&
      mayBeRecordedLater(attempts.get(intentId), Date.now() - createdAt.getTime() < GRACE_MS),
  );
  const pending = new Set(open.map(({ intentId }) => intentId));
  const violations: Record<string, unknown>[] = [...charges.values()]
    .filter(
      ({ intentId, capturedCents }) => !pending.has(intentId) && captures.get(intentId)?.amount_cents !== capturedCents,
    )
    .map(({ intentId, capturedCents }) => ({
      problem: captures.has(intentId)
        ? 'captured amount differs from the recorded amount'
        : 'captured, and neither recorded nor flagged',
      organization_id: processor.organization_id,
      intent_id: intentId,
      captured_cents: capturedCents,
      noted_cents: captures.get(intentId)?.amount_cents ?? 0,
    }));
  violations.push(...(await differingRefunds(client, ledger, charges, captures)));
  const unlisted = await unlistedCaptures(client, processor.id, since, charges);
  for (const capture of unlisted) {
    const captured = await ledger.capturedCents(capture.intent_id);
    if (captured !== capture.amount_cents) violations.push(unconfirmedCapture(capture, captured));
  }
  const name = `processor ${processor.id}: captures are recorded or flagged, and refunds are recorded`;
  return { name, examined: charges.size + unlisted.length, inFlight: pending.size, violations };
}

/**
 * Returns captures in our books whose charge is missing from the list of the provider's account. Such a charge was
 * opened before `since`, or the provider never captured it.
 */
async function unlistedCaptures(
  client: Client,
  processorId: string,
  since: Date,
  charges: Map<string, unknown>,
): Promise<Capture[]> {
  const { rows } = await client.query<Capture>(
    `SELECT organization_id, processor_id, intent_id, amount_cents::float8, (refunded_cents - disputed_cents)::float8 AS refunded_cents
       FROM processor_captures WHERE processor_id = $1 AND created_at >= $2`,
    [processorId, since],
  );
  return rows.filter(({ intent_id }) => !charges.has(intent_id));
}

const unconfirmedCapture = ({ organization_id, intent_id, amount_cents }: Capture, captured: number) => ({
  problem: 'recorded as captured, but the processor reports another amount',
  organization_id,
  intent_id,
  captured_cents: captured,
  noted_cents: amount_cents,
});
