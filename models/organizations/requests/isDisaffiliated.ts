import { currentOrganization, firstRow } from '../../database/rows.js';
import { normalizeEmail, USER_ID_BY_EMAIL } from '../../identity/accounts.js';

/**
 * Reports whether the person with this address was disaffiliated here and has no membership that gives access, so that
 * a new membership would readmit the person. Returns false for an account that has no membership here.
 */
export const isDisaffiliated = async (email: string): Promise<boolean> =>
  (await firstRow(
    `SELECT FROM (SELECT ${USER_ID_BY_EMAIL} AS id
                  UNION ALL SELECT id FROM users WHERE placeholder_in = $2 AND typed_email = $1) who
       JOIN memberships m ON m.organization_id = $2 AND m.user_id = who.id AND m.status = 'disaffiliated'
      WHERE NOT EXISTS (SELECT FROM memberships o
              WHERE o.organization_id = $2 AND o.user_id = who.id AND app.gives_access(o.status)) LIMIT 1`,
    [normalizeEmail(email), currentOrganization()],
  )) !== null;
