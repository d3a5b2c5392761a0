/**
 * The owner of credit: a chapter, or one member. A chapter's credit never pays for a member, and a member's credit
 * never for the chapter.
 */
import { oneRow, rows } from '../../database/rows.js';

export interface Payer {
  chapterId: string;
  /** The member who owns the credit; null if the chapter itself does. */
  membershipId: string | null;
}

/** Locks the payer's credit until the transaction ends, so that concurrent spending is serialized. */
export async function lockCredit({ chapterId, membershipId }: Payer): Promise<void> {
  await rows('SELECT app.lock_credit($1, $2)', [chapterId, membershipId]);
}

/**
 * Locks the credit of several payers, sorted by chapter and membership, so that concurrent transactions cannot
 * deadlock.
 */
export async function lockCredits(payers: readonly Payer[]): Promise<void> {
  const byName = new Map(payers.map((payer) => [`${payer.chapterId} ${payer.membershipId}`, payer]));
  for (const name of [...byName.keys()].toSorted()) await lockCredit(byName.get(name) as Payer);
}

/**
 * Returns the payer's available credit in cents: issued - applied - refunded, adjusted for reversals, less the amount
 * reserved for pending refunds.
 */
export async function readAvailableCredit({ chapterId, membershipId }: Payer): Promise<number> {
  const { cents } = await oneRow<{ cents: number }>('SELECT app.credit_balance($1, $2) AS cents', [
    chapterId,
    membershipId,
  ]);
  return cents;
}

/** Returns the payer's credit in cents, including the amount reserved for pending refunds. */
export async function readTotalCredit({ chapterId, membershipId }: Payer): Promise<number> {
  const { cents } = await oneRow<{ cents: number }>('SELECT app.credit_held($1, $2) AS cents', [
    chapterId,
    membershipId,
  ]);
  return cents;
}
