/** Finds out whether a person is the last admin of an organization or of the platform. */
import { oneRow } from '../../database/rows.js';

export interface LastAdminCheck {
  organization: boolean;
  platform: boolean;
}

/**
 * Reports whether this person is the only active admin of an organization, or of the platform. Admins with a disabled
 * account do not count, nor does this person if their own account is disabled. Locks the organizations that the person
 * administers.
 */
export const checkLastAdmin = (userId: string): Promise<LastAdminCheck> =>
  oneRow<LastAdminCheck>(
    `SELECT u.disabled_at IS NULL AND EXISTS (SELECT FROM app.administered_alone(u.id)) AS organization,
            u.is_platform_admin AND NOT EXISTS (
              SELECT 1 FROM users WHERE is_platform_admin AND disabled_at IS NULL AND id <> $1) AS platform
       FROM users u WHERE u.id = $1`,
    [userId],
  );
