import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { asOwner } from './owner.js';

const WAITING = `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE datname = current_database() AND NOT granted`;

/**
 * Makes the calls while another transaction has run a statement and not committed, each once the earlier ones wait; the transaction
 * commits once all of them wait.
 * @returns their answers
 */
export async function during<T>(statement: string, values: unknown[], calls: (() => Promise<T>)[]): Promise<T[]> {
  const holder = new pg.Client({ connectionString: process.env['DATABASE_OWNER_URL'] });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(statement, values);
    const answers: Promise<T>[] = [];
    for (const call of calls) {
      answers.push(call());
      await untilWaiting(answers.length);
    }
    await holder.query('COMMIT');
    return await Promise.all(answers);
  } finally {
    await holder.end();
  }
}

/** Waits until this many locks are waited for. */
export async function untilWaiting(count: number): Promise<void> {
  const waiting = async () => (await asOwner(WAITING)).length;
  for (let n = 0; n < 500 && (await waiting()) < count; n += 1) await setTimeout(20);
  expect(await waiting()).toBe(count);
}
