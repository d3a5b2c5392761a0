/** After each story: every invariant of the money holds. */
import { checkLedger } from '../../models/finances/checkLedger.js';

/** Fails with the violating rows. */
export async function expectSoundLedger(): Promise<void> {
  const { violations, passed } = await checkLedger(process.env['DATABASE_OWNER_URL'] ?? '');
  expect(violations).toEqual([]);
  expect(passed).toBe(true);
}
