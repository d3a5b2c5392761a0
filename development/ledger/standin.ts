/** Compares the money that moved at the stand-in gateway with our captures. Development and tests only. */
import type { Client } from 'pg';
import { z } from 'zod';
import {
  attemptsOf,
  type Capture,
  capturesOf,
  type Comparison,
  GRACE_MS,
  mayBeRecordedLater,
} from '../../bin/ledger/books.js';

const Entries = z.array(
  z.object({
    kind: z.enum(['capture', 'refund']),
    payment_intent: z.string(),
    charge: z.string(),
    remittance_id: z.string().nullable(),
    // absent in entries of earlier versions
    donation_id: z.string().nullable().default(null),
    idempotency_key: z.string().nullable(),
    amount_cents: z.number(),
    at: z.union([z.string(), z.number()]),
  }),
);
type Entry = z.infer<typeof Entries>[number];

/**
 * Compares the ledger with our captures.
 * @param graceMs how old a movement may be before its missing record is a violation
 * @throws Error when the ledger cannot be read
 */
export async function compareWithStandIn(client: Client, ledgerUrl: string, graceMs = GRACE_MS): Promise<Comparison> {
  const answer = await fetch(ledgerUrl, { signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new Error(`The ledger of the gateway answered ${answer.status}.`);
  const entries = await ofThisDatabase(client, Entries.parse(await answer.json()));
  const captured = entries.filter(({ kind }) => kind === 'capture');
  const intents = captured.map(({ payment_intent }) => payment_intent);
  const attempts = await attemptsOf(
    client,
    intents.map((intentId) => ({ intentId })),
  );
  const ours = await capturesOf(client, intents);
  const young = ({ at }: Entry) => Date.now() - new Date(at).getTime() < graceMs;
  const underway = captured.filter(
    (entry) => !ours.has(entry.payment_intent) && mayBeRecordedLater(attempts.get(entry.payment_intent), young(entry)),
  );
  const missing = captured.filter((entry) => !ours.has(entry.payment_intent) && !underway.includes(entry));
  const different = captured.filter(
    ({ payment_intent, amount_cents }) =>
      ours.has(payment_intent) && ours.get(payment_intent)?.amount_cents !== amount_cents,
  );
  return {
    name: 'money moved at the gateway: each charge captured at most once, and recorded or flagged',
    examined: entries.length,
    inFlight: underway.length,
    violations: [
      ...missing.map((entry) => ({ problem: 'captured, and neither recorded nor flagged', ...entry })),
      ...different.map((entry) => ({ problem: 'captured amount differs from the recorded amount', ...entry })),
      ...repeated(captured, ({ payment_intent }) => payment_intent),
      ...repeated(captured, ({ idempotency_key }) => idempotency_key),
      ...overRefunded(entries),
      ...unnotedRefunds(entries, ours, young),
    ],
  };
}

/** Keeps only entries of remittances and gifts in this database, because other platforms may use the stand-in too. */
async function ofThisDatabase(client: Client, entries: Entry[]): Promise<Entry[]> {
  const subjectOf = ({ remittance_id, donation_id }: Entry) => remittance_id ?? donation_id ?? '';
  const { rows } = await client.query<{ id: string }>(
    `SELECT id::text FROM chapter_remittances WHERE id::text = ANY($1) UNION ALL SELECT id::text FROM donations WHERE id::text = ANY($1)`,
    [[...new Set(entries.map(subjectOf))]],
  );
  const existing = new Set(rows.map(({ id }) => id));
  return entries.filter((entry) => existing.has(subjectOf(entry)));
}

/** Finds captures that share a charge or an idempotency key: one payment moved money more than once. */
function repeated(captures: Entry[], key: (entry: Entry) => string | null) {
  return grouped(
    captures.filter((entry) => key(entry) !== null),
    key,
  )
    .filter((group) => group.length > 1)
    .map((group) => ({ problem: 'captured more than once', times: group.length, ...(group[0] as Entry) }));
}

const sum = (group: Entry[], wanted: Entry['kind']): number =>
  group.filter(({ kind }) => kind === wanted).reduce((cents, { amount_cents }) => cents + amount_cents, 0);

/**
 * Finds charges whose refunds in the gateway's ledger do not add up to the refunds in our records. If a refund's event
 * was lost, a member who got the money back still counts as paid.
 */
function unnotedRefunds(entries: Entry[], ours: Map<string, Capture>, young: (entry: Entry) => boolean) {
  return grouped(entries, ({ payment_intent }) => payment_intent)
    .filter((group) => !group.some((entry) => entry.kind === 'refund' && young(entry)))
    .map((group) => ({ refunded_cents: sum(group, 'refund'), noted: ours.get(group[0]?.payment_intent ?? '') }))
    .flatMap(({ refunded_cents, noted }) =>
      noted && noted.refunded_cents !== refunded_cents
        ? [
            {
              problem: 'refunded amount differs from the recorded amount',
              payment_intent: noted.intent_id,
              refunded_cents,
              noted_cents: noted.refunded_cents,
            },
          ]
        : [],
    );
}

function overRefunded(entries: Entry[]) {
  return grouped(entries, ({ payment_intent }) => payment_intent)
    .filter((group) => sum(group, 'refund') > sum(group, 'capture'))
    .map((group) => ({
      problem: 'refunded more than was captured',
      payment_intent: group[0]?.payment_intent,
      captured_cents: sum(group, 'capture'),
      refunded_cents: sum(group, 'refund'),
    }));
}

function grouped(entries: Entry[], key: (entry: Entry) => string | null): Entry[][] {
  const groups = new Map<string | null, Entry[]>();
  for (const entry of entries) groups.set(key(entry), [...(groups.get(key(entry)) ?? []), entry]);
  return [...groups.values()];
}
