import { eventually } from './eventually.js';
import { asOwner } from './owner.js';

/**
 * Lists the connections to this test file's database that wait for a lock. `pg_locks` alone also shows those of other test files, whose
 * databases were copied from one template and so have the same object ids.
 * @returns their process ids
 */
export const lockWaits = async (): Promise<number[]> =>
  (
    await asOwner<{ pid: number }>(
      'SELECT pid FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE datname = current_database() AND NOT granted',
    )
  ).map(({ pid }) => pid);

/** Waits until this many connections wait for a lock. */
export async function untilWaiting(count: number): Promise<void> {
  expect(await eventually(lockWaits, (waits) => waits.length >= count)).toHaveLength(count);
}
