/** A day's comparison of an account with the books: very many movements that agree, and some charges that only the books know. */
import type { Client } from 'pg';
import type Stripe from 'stripe';
import { reconciliation, type ReconciliationInput } from '../../workflows/contracts/reconciliation.js';
import { Store } from '../standins/payments/state/store.js';
import { type Check, check } from './audience.js';
import { watched } from './memory.js';
import { enqueue } from './outbox.js';
import { until } from './until.js';
import type { World } from './world.js';

export const RECONCILING = 'an account compared';

interface Scene {
  owner: Client;
  world: World;
  /** Starts the worker that compares. @returns its process */
  startWorker: () => Promise<number>;
  movements: number;
}

const CENTS = 5_000;
/** Ago: nobody else's payments are of that time. */
const DAYS = { began: 12, moved: 10, ended: 9 };
/** Asked about one by one. */
const DIFFERING = 50;
const PATIENCE = { pollMs: 250, patienceMs: 600_000, otherwise: 'The account is not compared to the end.' };

const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);
const intentOf = (n: number): string => `pi_bench${String(n).padStart(8, '0')}`;

/** Writes charges of an account down as the stand-in of the gateway keeps them, before it starts. */
export async function makeCharges(folder: string, account: string, movements: number): Promise<void> {
  const store = new Store(folder);
  const created = Math.floor(daysAgo(DAYS.moved).getTime() / 1000);
  store.transaction(() => {
    for (let n = 0; n < movements; n += 1) {
      const [charge, transaction] = [`ch_bench${n}`, `txn_bench${n}`];
      const of = { created, currency: 'usd', amount: CENTS };
      store.put('charge', charge, {
        account,
        value: {
          id: charge,
          object: 'charge',
          payment_intent: intentOf(n),
          metadata: {},
          ...of,
        } as unknown as Stripe.Charge,
      });
      store.put('balance_transaction', transaction, {
        account,
        value: {
          id: transaction,
          object: 'balance_transaction',
          type: 'charge',
          source: charge,
          fee: 175,
          net: CENTS - 175,
          available_on: created,
          status: 'available',
          fee_details: [],
          ...of,
        } as unknown as Stripe.BalanceTransaction,
      });
    }
  });
  await store.close();
}

export async function measureReconciling({ owner, world, startWorker, movements }: Scene): Promise<Check[]> {
  const processorId = await record(owner, world, movements);
  await enqueue(owner, reconciliation, [runOf(world, processorId)]);
  const { answer, megabytes, seconds } = await watched(await startWorker(), () => untilCompared(owner, processorId));
  if (answer.cases !== DIFFERING) throw new Error(`${answer.cases} cases were opened of ${DIFFERING}.`);
  const what = `${movements} movements of an account compared with the books, and ${DIFFERING} charges asked about`;
  return [check(what, seconds, 60, 's'), check('the worker that compares', megabytes, 350, 'MB')];
}

/** What the gateway has, and a few more. @returns the processor */
async function record(owner: Client, { organizationId }: World, movements: number): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `SELECT id FROM org_payment_processors WHERE organization_id = $1 AND provider = 'stripe' AND disabled_at IS NULL LIMIT 1`,
    [organizationId],
  );
  const [processor] = rows;
  if (!processor) throw new Error('The seed has no processor to compare.');
  await owner.query(
    `INSERT INTO processor_captures (organization_id, processor_id, intent_id, amount_cents, currency, disposition, created_at)
     SELECT $1, $2, 'pi_bench' || lpad(n::text, 8, '0'), ${CENTS}, 'usd', 'resolved', now() - interval '${DAYS.moved} days'
       FROM generate_series(0, $3::int - 1) AS n`,
    [organizationId, processor.id, movements + DIFFERING],
  );
  await owner.query('ANALYZE processor_captures');
  return processor.id;
}

function runOf({ organizationId }: World, processorId: string): ReconciliationInput {
  const [from, to] = [DAYS.began, DAYS.ended].map((days) => daysAgo(days).toISOString()) as [string, string];
  return { organizationId, processorId, day: to.slice(0, 10), from, to };
}

const untilCompared = (owner: Client, processorId: string): Promise<{ cases: number }> =>
  until(async () => {
    const { rows } = await owner.query<{ status: string; cases: number }>(
      'SELECT status, cases_opened AS cases FROM reconciliations WHERE processor_id = $1 ORDER BY day DESC LIMIT 1',
      [processorId],
    );
    const [run] = rows;
    if (run?.status === 'refused') throw new Error('The gateway has refused the comparison.');
    return run?.status === 'compared' ? run : null;
  }, PATIENCE);
