/** Checks captured = recorded or flagged against each processor's own account. */
import type { Client } from 'pg';
import { config } from '../../config.js';
import { portLedger, whyPortNotAsked } from '../../gateways/payments/portLedger.js';
import { paymentPort } from '../../gateways/payments/processors.js';
import {
  type CapturedCharge,
  type GatewayLedger,
  stripeLedger,
  whyNotAsked,
} from '../../gateways/payments/stripeLedger.js';
import { readCredentials } from '../../models/finances/attempts/processorAccess.js';
import { type Provider, PROVIDERS } from '../../models/finances/payment-processors/OrgPaymentProcessor.js';
import { factsOf } from '../../models/finances/payment-processors/providers.js';
import { decrypt } from '../../models/database/encryption.js';
import { attemptsOf, type Capture, capturesOf, type Comparison, GRACE_MS, isUnderWay } from './books.js';
import { unnotedRefunds } from './refunds.js';

interface Processor {
  id: string;
  organization_id: string;
  provider: Provider;
  secret_key_encrypted: string;
  is_disabled: boolean;
}

export interface ProcessorComparisons {
  comparisons: Comparison[];
  /** A line for each processor that could not be asked. */
  unasked: string[];
}

/**
 * Compares every processor's account with the captures of charges opened since then; disabled processors too, while
 * their keys work. A processor that cannot be asked does not stop the others.
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
  const unasked: string[] = [];
  for (const processor of rows.filter(({ provider }) => providers.includes(provider))) {
    try {
      comparisons.push(await compare(client, processor, since));
    } catch (error) {
      const { id, organization_id, is_disabled } = processor;
      const which = `Processor ${id} of organization ${organization_id}${is_disabled ? ' (disabled)' : ''}`;
      unasked.push(`${which} could not be asked: ${whyPortNotAsked(error) ?? whyNotAsked(error)}.`);
    }
  }
  return { comparisons, unasked };
}

/** Stripe lists charges by opening time with their captures; other providers list movements. */
function ledgerOf({ id, provider, secret_key_encrypted }: Processor): GatewayLedger {
  const place = { table: 'org_payment_processors', column: 'secret_key_encrypted', rowId: id };
  const credentials = readCredentials(decrypt(secret_key_encrypted, place));
  if (provider === 'stripe') return stripeLedger(credentials.secret_key, config.STRIPE_API_URL);
  const until = new Date(Date.now() - factsOf(provider).listedAfterMinutes * 60_000);
  return portLedger(paymentPort({ provider, credentials }), until);
}

async function compare(client: Client, processor: Processor, since: Date): Promise<Comparison> {
  const ledger = ledgerOf(processor);
  const theirs = new Map<string, CapturedCharge>();
  for await (const charge of ledger.capturedSince(since)) {
    // An account may serve other business; our charges name the organization.
    if (charge.reference['organization_id'] === processor.organization_id) theirs.set(charge.intentId, charge);
  }
  const named = [...theirs.values()].map(({ intentId, reference }) => ({
    intentId,
    attemptId: reference['attempt_id'],
  }));
  const attempts = await attemptsOf(client, named, processor.organization_id);
  const ours = await capturesOf(client, [...theirs.keys()]);
  const open = [...theirs.values()].filter(
    ({ intentId, createdAt }) =>
      !ours.has(intentId) && isUnderWay(attempts.get(intentId), Date.now() - createdAt.getTime() < GRACE_MS),
  );
  const waiting = new Set(open.map(({ intentId }) => intentId));
  const violations: Record<string, unknown>[] = [...theirs.values()]
    .filter(
      ({ intentId, capturedCents }) => !waiting.has(intentId) && ours.get(intentId)?.amount_cents !== capturedCents,
    )
    .map(({ intentId, capturedCents }) => ({
      problem: ours.has(intentId)
        ? 'captured another amount than we noted'
        : 'captured, and neither recorded nor flagged',
      organization_id: processor.organization_id,
      intent_id: intentId,
      captured_cents: capturedCents,
      noted_cents: ours.get(intentId)?.amount_cents ?? 0,
    }));
  violations.push(...(await unnotedRefunds(client, ledger, theirs, ours)));
  const unknown = await notedOnly(client, processor.id, since, theirs);
  for (const capture of unknown) {
    const captured = await ledger.capturedCents(capture.intent_id);
    if (captured !== capture.amount_cents) violations.push(phantom(capture, captured));
  }
  const name = `processor ${processor.id}: captured is recorded or flagged, and given back is noted`;
  return { name, examined: theirs.size + unknown.length, underway: waiting.size, violations };
}

/** Captures of ours that the account did not list: opened before `since`, or never captured. */
async function notedOnly(
  client: Client,
  processorId: string,
  since: Date,
  theirs: Map<string, unknown>,
): Promise<Capture[]> {
  const { rows } = await client.query<Capture>(
    `SELECT organization_id, processor_id, intent_id, amount_cents::float8, (refunded_cents - disputed_cents)::float8 AS refunded_cents
       FROM processor_captures WHERE processor_id = $1 AND created_at >= $2`,
    [processorId, since],
  );
  return rows.filter(({ intent_id }) => !theirs.has(intent_id));
}

const phantom = ({ organization_id, intent_id, amount_cents }: Capture, captured: number) => ({
  problem: 'noted as captured, but the processor says otherwise',
  organization_id,
  intent_id,
  captured_cents: captured,
  noted_cents: amount_cents,
});
