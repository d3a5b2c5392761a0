/** Whose credit: a chapter's own, or one member's. Neither ever pays for the other. */
import { oneRow, rows } from '../../database/rows.js';

export interface Payer {
  chapterId: string;
  /** null: the chapter itself. */
  membershipId: string | null;
}

/** Holds the payer's credit until the transaction ends, so that two spenders see one another. */
export async function lockCredit({ chapterId, membershipId }: Payer): Promise<void> {
  await rows('SELECT app.lock_credit($1, $2)', [chapterId, membershipId]);
}

/** The same for several, in one order for everybody. */
export async function lockCredits(payers: readonly Payer[]): Promise<void> {
  const byName = new Map(payers.map((payer) => [`${payer.chapterId} ${payer.membershipId}`, payer]));
  for (const name of [...byName.keys()].toSorted()) await lockCredit(byName.get(name) as Payer);
}

/** Issued - applied - refunded, adjusted for reversals, in cents; less what is on its way back, which nobody spends. */
export async function availableCredit({ chapterId, membershipId }: Payer): Promise<number> {
  const { cents } = await oneRow<{ cents: number }>('SELECT app.credit_balance($1, $2) AS cents', [
    chapterId,
    membershipId,
  ]);
  return cents;
}

/** The same with what is on its way back. */
export async function heldCredit({ chapterId, membershipId }: Payer): Promise<number> {
  const { cents } = await oneRow<{ cents: number }>('SELECT app.credit_held($1, $2) AS cents', [
    chapterId,
    membershipId,
  ]);
  return cents;
}
