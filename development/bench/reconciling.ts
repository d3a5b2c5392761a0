/**
 * Daily reconciliation of a gateway account: very many movements that agree, and some charges that only the database
 * has.
 */
import type { Client } from 'pg';
import type Stripe from 'stripe';
import { reconciliation, type ReconciliationInput } from '../../workflows/contracts/reconciliation.js';
import { Store } from '../standins/payments/state/store.js';
import { type Check, check } from './audience.js';
import { measureWork } from './memory.js';
import { enqueue } from './outbox.js';
import { until } from './until.js';
import type { World } from './world.js';

export const RECONCILING = 'an account compared';

interface Setup {
  owner: Client;
  world: World;
  /** Starts the worker that reconciles. @returns its process id */
  startWorker: () => Promise<number>;
  movements: number;
}

const CENTS = 5_000;
/**
 * The reconciled period, in days before now: its begin, the time of the movements, and its end. The seed has no other
 * payments in this period.
 */
const DAYS_AGO = { began: 12, moved: 10, ended: 9 };
/** Number of charges that only the database has; each is requested from the gateway on its own. */
const DIFFERING = 50;
const POLLING = { pollMs: 250, patienceMs: 600_000, otherwise: 'The reconciliation did not end in time.' };

const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);
const intentOf = (n: number): string => `pi_bench${String(n).padStart(8, '0')}`;

/** Writes charges of an account to the files of the gateway stand-in, before it starts. */
export async function makeCharges(folder: string, account: string, movements: number): Promise<void> {
  const store = new Store(folder);
  const created = Math.floor(daysAgo(DAYS_AGO.moved).getTime() / 1000);
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

export async function measureReconciling({ owner, world, startWorker, movements }: Setup): Promise<Check[]> {
  const processorId = await record(owner, world, movements);
  await enqueue(owner, reconciliation, [runOf(world, processorId)]);
  const { answer, megabytes, seconds } = await measureWork(await startWorker(), () =>
    untilCompared(owner, processorId),
  );
  if (answer.cases !== DIFFERING) throw new Error(`${answer.cases} cases were opened instead of ${DIFFERING}.`);
  const what = `${movements} movements of an account reconciled, and ${DIFFERING} charges looked up`;
  return [check(what, seconds, 60, 's'), check('memory of the worker that reconciles', megabytes, 350, 'MB')];
}

/**
 * Records the gateway's captures in the database, and DIFFERING more that the gateway does not have.
 * @returns the processor's id
 */
async function record(owner: Client, { organizationId }: World, movements: number): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `SELECT id FROM org_payment_processors
      WHERE organization_id = $1 AND purpose = 'dues' AND provider = 'stripe' AND disabled_at IS NULL LIMIT 1`,
    [organizationId],
  );
  const [processor] = rows;
  if (!processor) throw new Error('The seed has no processor to compare.');
  await owner.query(
    `INSERT INTO processor_captures (organization_id, processor_id, intent_id, amount_cents, currency, disposition, created_at)
     SELECT $1, $2, 'pi_bench' || lpad(n::text, 8, '0'), ${CENTS}, 'usd', 'resolved', now() - interval '${DAYS_AGO.moved} days'
       FROM generate_series(0, $3::int - 1) AS n`,
    [organizationId, processor.id, movements + DIFFERING],
  );
  await owner.query('ANALYZE processor_captures');
  return processor.id;
}

function runOf({ organizationId }: World, processorId: string): ReconciliationInput {
  const [from, to] = [DAYS_AGO.began, DAYS_AGO.ended].map((days) => daysAgo(days).toISOString()) as [string, string];
  return { organizationId, processorId, day: to.slice(0, 10), from, to };
}

const untilCompared = (owner: Client, processorId: string): Promise<{ cases: number }> =>
  until(async () => {
    const { rows } = await owner.query<{ status: string; cases: number }>(
      'SELECT status, cases_opened AS cases FROM reconciliations WHERE processor_id = $1 ORDER BY day DESC LIMIT 1',
      [processorId],
    );
    const [run] = rows;
    if (run?.status === 'refused') throw new Error('The gateway refused the reconciliation.');
    return run?.status === 'compared' ? run : null;
  }, POLLING);
