import { firstRow } from '../../database/rows.js';
import { inPlatform } from '../../database/tenancy.js';
import { found } from '../../errors.js';

export interface AskedOrganization {
  id: string;
  name: string;
  slug: string;
}

/**
 * The organization that strangers may ask for an account; any other is not there. Opens its own transaction.
 * @param alsoClosed for what is the person's right, however the organization stands
 * @throws Refusal not_found
 */
export const publicOrganization = async (slug: string, { alsoClosed = false } = {}): Promise<AskedOrganization> =>
  found(
    await inPlatform(
      () =>
        firstRow<AskedOrganization>(
          'SELECT id, name, slug FROM organizations WHERE slug = $1 AND ($2 OR is_active AND accepts_account_requests)',
          [slug, alsoClosed],
        ),
      { readOnly: true },
    ),
  );
