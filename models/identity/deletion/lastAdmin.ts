/** Who cannot go because somebody has to stay. */
import { oneRow } from '../../database/rows.js';

export interface LastAdminOf {
  organization: boolean;
  platform: boolean;
}

/**
 * Whether this person alone administers some organization, or the platform. Disabled people count for nothing, this one
 * included. Locks the organizations that the person administers.
 */
export const lastAdminOf = (userId: string): Promise<LastAdminOf> =>
  oneRow<LastAdminOf>(
    `SELECT u.disabled_at IS NULL AND EXISTS (SELECT FROM app.administered_alone(u.id)) AS organization,
            u.is_platform_admin AND NOT EXISTS (
              SELECT 1 FROM users WHERE is_platform_admin AND disabled_at IS NULL AND id <> $1) AS platform
       FROM users u WHERE u.id = $1`,
    [userId],
  );
