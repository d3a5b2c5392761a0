/** Who cannot go because somebody has to stay. */
import { oneRow } from '../../database/rows.js';

export interface LastAdminOf {
  organization: boolean;
  platform: boolean;
}

/** Whether this person alone administers some organization, or the platform. Disabled people count for nothing. */
export const lastAdminOf = (userId: string): Promise<LastAdminOf> =>
  oneRow<LastAdminOf>(
    `SELECT EXISTS (
              SELECT 1 FROM affiliations a WHERE a.user_id = $1 AND a.kind = 'organization_admin' AND NOT EXISTS (
                SELECT 1 FROM affiliations b JOIN users u ON u.id = b.user_id
                 WHERE b.organization_id = a.organization_id AND b.kind = 'organization_admin' AND b.user_id <> $1
                   AND u.disabled_at IS NULL)) AS organization,
            (SELECT is_platform_admin FROM users WHERE id = $1) AND NOT EXISTS (
              SELECT 1 FROM users WHERE is_platform_admin AND disabled_at IS NULL AND id <> $1) AS platform`,
    [userId],
  );
