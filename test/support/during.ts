import pg from 'pg';
import { untilWaiting } from './lockWaits.js';

/**
 * Makes the calls while another transaction has run a statement and not committed, each once the earlier ones wait; the transaction
 * commits once all of them wait.
 * @param between runs while all of them wait
 * @returns their answers
 */
export async function during<T>(
  statement: string,
  values: unknown[],
  calls: readonly (() => Promise<T>)[],
  between: () => Promise<unknown> = async () => undefined,
): Promise<T[]> {
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
    await between();
    await holder.query('COMMIT');
    return await Promise.all(answers);
  } finally {
    await holder.end();
  }
}
