/** Checks after each test that every invariant of the money holds. */
import { checkLedgerOver } from '../../models/finances/checkLedger.js';
import { overOwner } from './owner.js';

/** Fails with the violating rows. */
export async function expectSoundLedger(): Promise<void> {
  const { violations, passed } = await overOwner(checkLedgerOver);
  expect(violations).toEqual([]);
  expect(passed).toBe(true);
}
