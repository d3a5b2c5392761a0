import { rows } from '../database/rows.js';

/**
 * Locks a person's row FOR NO KEY UPDATE. Every change of a person's data takes this lock first, so changes run one
 * after another.
 */
export const lockPerson = (userId: string): Promise<unknown> =>
  rows('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
