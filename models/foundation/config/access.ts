import { currentOrganization, firstRow } from '../../database/rows.js';
import { foundationErrors } from '../errors.js';

/**
 * Requires a person who may sign in to the organization: with an enabled account and an office or a membership that
 * gives access. @throws Refusal not_in_organization, for unknown people as well
 */
export async function requireAccess(userId: string): Promise<void> {
  const person = await firstRow(
    `SELECT FROM users u WHERE u.id = $2 AND u.disabled_at IS NULL
        AND EXISTS (SELECT FROM affiliations f WHERE f.user_id = u.id AND f.organization_id = $1)`,
    [currentOrganization(), userId],
  );
  if (!person) throw foundationErrors.not_in_organization();
}
