/** Checks after each test that every invariant of the money holds. */
import path from 'node:path';
import { checkLedgerOver, readInvariants } from '../../models/finances/checkLedger.js';
import { asOwner, overOwner } from './owner.js';

/** Fails with the violating rows. */
export async function expectSoundLedger(): Promise<void> {
  const { violations, passed } = await overOwner(checkLedgerOver);
  expect(violations).toEqual([]);
  expect(passed).toBe(true);
}

/** The rules of receipts, for tests whose gifts have no pages, so that the other rules of gifts do not hold. */
export const receiptInvariants = () =>
  readInvariants([path.resolve('models/foundation/invariants.sql')]).filter(({ name }) => name.includes('receipt'));

/** Returns the names of the broken rules of receipts. */
export async function findReceiptViolations(): Promise<string[]> {
  const broken: string[] = [];
  for (const { name, query } of receiptInvariants()) if ((await asOwner(query)).length > 0) broken.push(name);
  return broken;
}
