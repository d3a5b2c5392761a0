import { rows } from '../../database/rows.js';

/** The person's reset token opens nothing any more. */
export const dropPasswordReset = (userId: string): Promise<unknown> =>
  rows('DELETE FROM password_resets WHERE user_id = $1', [userId]);
