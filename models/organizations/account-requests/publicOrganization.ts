import { firstRow } from '../../database/rows.js';
import { inPlatform } from '../../database/tenancy.js';
import { requireFound } from '../../errors.js';

export interface PublicOrganization {
  id: string;
  name: string;
  slug: string;
}

/**
 * Returns the organization with this slug if it accepts account requests. Opens its own transaction.
 * @param alsoClosed true also finds an organization that is inactive or accepts no requests, so that a person can still
 * withdraw a request or remove a linked address
 * @throws Refusal not_found
 */
export const findPublicOrganization = async (slug: string, { alsoClosed = false } = {}): Promise<PublicOrganization> =>
  requireFound(
    await inPlatform(
      () =>
        firstRow<PublicOrganization>(
          'SELECT id, name, slug FROM organizations WHERE slug = $1 AND ($2 OR is_active AND accepts_account_requests)',
          [slug, alsoClosed],
        ),
      { readOnly: true },
    ),
  );
