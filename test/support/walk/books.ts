/** Compares the movements at the gateway with our records, at any moment and once no work is pending. */
import { temporal } from '../../../gateways/temporal/client.js';
import { checkLedgerOver } from '../../../models/finances/checkLedger.js';
import { asOwner, overOwner } from '../owner.js';
import { eventually } from '../platform.js';
import type { Deployment } from './deployment.js';

interface Entry {
  kind: 'capture' | 'refund';
  payment_intent: string;
  remittance_id: string | null;
  amount_cents: number;
}

interface Recorded {
  intent: string;
  captured: number;
  refunded: number;
}

/** @throws Error that names the violations of rules that hold at every moment */
export async function expectSoundBooks(
  deployment: Deployment,
  organizationId: string,
  invoiceCharges: ReadonlySet<string>,
): Promise<void> {
  const { violations } = await overOwner(checkLedgerOver);
  // Rows of earlier walks stay: a shrunk walk must not fail because of them.
  const own = violations.filter(({ row }) => row['organization_id'] === organizationId);
  refuse('the invariants are broken', own);
  // The gateway is read first: its captures are on our side by now, and not the other way round.
  const entries = await movedFor(deployment, organizationId, invoiceCharges);
  refuse('captured twice under one charge', repeated(entries));
  refuse('captured, and nobody knows', await unknown(deployment, organizationId, entries));
  refuse('an attempt waits for a process that is not there', await abandoned(organizationId));
}

/** Waits until no work is pending, then compares to the cent. @throws Error */
export async function expectQuietBooks(
  deployment: Deployment,
  organizationId: string,
  invoiceCharges: ReadonlySet<string>,
): Promise<void> {
  await eventually(
    () => unfinished(deployment, organizationId),
    (left) => left.length === 0,
    60,
  );
  await expectSoundBooks(deployment, organizationId, invoiceCharges);
  const [entries, recorded] = [
    await movedFor(deployment, organizationId, invoiceCharges),
    await recordedFor(organizationId),
  ];
  const sum = (intent: string, kind: Entry['kind']) =>
    entries
      .filter((entry) => entry.payment_intent === intent && entry.kind === kind)
      .reduce((cents, { amount_cents }) => cents + amount_cents, 0);
  const intents = new Set([
    ...entries.map(({ payment_intent }) => payment_intent),
    ...recorded.map(({ intent }) => intent),
  ]);
  const moved = [...intents].map((intent) => ({
    intent,
    captured: sum(intent, 'capture'),
    refunded: sum(intent, 'refund'),
  }));
  refuse(
    'the gateway moved other amounts than we have on record',
    moved.filter((one) => !recorded.some((row) => JSON.stringify(row) === JSON.stringify(one))),
  );
  const odd = await asOwner(
    `SELECT id FROM payment_attempts WHERE organization_id = $1 AND status = 'pending' AND remittance_id IS NOT NULL`,
    [organizationId],
  );
  refuse('a payment has no outcome', odd);
}

function refuse(problem: string, rows: unknown[]): void {
  if (rows.length > 0) throw new Error(`${problem}: ${JSON.stringify(rows)}`);
}

async function movedFor(
  deployment: Deployment,
  organizationId: string,
  invoiceCharges: ReadonlySet<string>,
): Promise<Entry[]> {
  const all = (await (await fetch(deployment.gateway.ledgerUrl)).json()) as Entry[];
  const ours = await asOwner<{ id: string }>('SELECT id FROM chapter_remittances WHERE organization_id = $1', [
    organizationId,
  ]);
  const known = new Set(ours.map(({ id }) => id));
  return all.filter(
    ({ remittance_id, payment_intent }) => known.has(remittance_id ?? '') || invoiceCharges.has(payment_intent),
  );
}

const recordedFor = (organizationId: string) =>
  asOwner<Recorded>(
    `SELECT intent_id AS intent, amount_cents::int AS captured, (refunded_cents - disputed_cents)::int AS refunded
       FROM processor_captures WHERE organization_id = $1`,
    [organizationId],
  );

function repeated(entries: Entry[]): Entry[] {
  const captured = entries.filter(({ kind }) => kind === 'capture');
  return captured.filter((one, n) => captured.findIndex((other) => other.payment_intent === one.payment_intent) !== n);
}

/** Captures that are not recorded, and that no pending work will record. */
async function unknown(deployment: Deployment, organizationId: string, entries: Entry[]): Promise<Entry[]> {
  const captured = entries.filter(({ kind }) => kind === 'capture');
  const missing = async () => {
    const recorded = new Map((await recordedFor(organizationId)).map((row) => [row.intent, row.captured]));
    return captured.filter(({ payment_intent, amount_cents }) => recorded.get(payment_intent) !== amount_cents);
  };
  const suspects = await missing();
  if (suspects.length === 0) return [];
  const inFlight = new Set([...(await attemptsUnderWay(organizationId)), ...(await eventsUnderWay(deployment))]);
  // A second look: pending work at the first look may have arrived since.
  const stillMissing = new Set((await missing()).map(({ payment_intent }) => payment_intent));
  return suspects.filter(({ payment_intent }) => stillMissing.has(payment_intent) && !inFlight.has(payment_intent));
}

interface Pending {
  attempt: string;
  intent: string | null;
  workflow: string;
  dispatched: boolean;
}

const pendingAttempts = (organizationId: string) =>
  asOwner<Pending>(
    `SELECT a.id AS attempt, a.intent_id AS intent, o.workflow_id AS workflow, o.dispatched_at IS NOT NULL AS dispatched
       FROM payment_attempts a JOIN outbox o ON o.process = 'payRemittance' AND o.input->>'attemptId' = a.id::text
      WHERE a.organization_id = $1 AND a.status = 'pending' AND a.remittance_id IS NOT NULL`,
    [organizationId],
  );

async function isUnderWay({ workflow, dispatched }: Pending): Promise<boolean> {
  if (!dispatched) return true;
  return (await temporal().workflow.getHandle(workflow).describe()).status.name === 'RUNNING';
}

async function attemptsUnderWay(organizationId: string): Promise<string[]> {
  const underWay: string[] = [];
  for (const pending of await pendingAttempts(organizationId))
    if (pending.intent && (await isUnderWay(pending))) underWay.push(pending.intent);
  return underWay;
}

async function abandoned(organizationId: string): Promise<Pending[]> {
  const ended: Pending[] = [];
  for (const pending of await pendingAttempts(organizationId)) if (!(await isUnderWay(pending))) ended.push(pending);
  if (ended.length === 0) return [];
  const still = new Set((await pendingAttempts(organizationId)).map(({ attempt }) => attempt));
  return ended.filter(({ attempt }) => still.has(attempt));
}

interface Delivery {
  event: string;
  type: string;
  status: string;
}

/** The charges whose events are not delivered, or not applied yet. */
async function eventsUnderWay(deployment: Deployment): Promise<string[]> {
  const waiting = await deployment.gatewayControl<Delivery[]>('GET', '/deliveries?status=pending');
  const applying = await asOwner<{ intent: string }>(
    `SELECT payload->>'intentId' AS intent FROM webhook_events WHERE outcome IS NULL`,
  );
  // A delivery names its event alone; while any is pending, no charge is given up.
  const any = waiting.length > 0 ? await allIntents(deployment) : [];
  return [...any, ...applying.map(({ intent }) => intent)];
}

const allIntents = async (deployment: Deployment): Promise<string[]> =>
  ((await (await fetch(deployment.gateway.ledgerUrl)).json()) as Entry[]).map(({ payment_intent }) => payment_intent);

async function unfinished(deployment: Deployment, organizationId: string): Promise<unknown[]> {
  return [
    ...(await deployment.gatewayControl<Delivery[]>('GET', '/deliveries?status=pending')),
    ...(await asOwner('SELECT id, process, attempts FROM outbox WHERE dispatched_at IS NULL')),
    ...(await asOwner('SELECT id, type FROM webhook_events WHERE outcome IS NULL')),
    ...(await pendingAttempts(organizationId)),
  ];
}
