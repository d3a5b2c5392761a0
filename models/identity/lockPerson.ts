import { rows } from '../database/rows.js';

/** Changes of what is one person's happen one after another: the person is locked before what is theirs. */
export const lockPerson = (userId: string): Promise<unknown> =>
  rows('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
