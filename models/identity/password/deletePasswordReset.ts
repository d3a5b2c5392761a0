import { rows } from '../../database/rows.js';

/** Deletes the person's reset token, so that its link no longer works. */
export const deletePasswordReset = (userId: string): Promise<unknown> =>
  rows('DELETE FROM password_resets WHERE user_id = $1', [userId]);
