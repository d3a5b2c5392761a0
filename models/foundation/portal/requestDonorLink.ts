import { sign } from '../../database/signatures.js';
import { currentOrganization, oneRow, type ThrottleHit } from '../../database/rows.js';
import { writeNotice } from '../../identity/notices/enqueueNotice.js';
import { LINK_SECONDS } from './issueDonorLink.js';

/** Returns the throttle key of an address that receives links. */
const addressDigestOf = (email: string): string => sign('e-mail of a donor link', email).toString('base64url');

/**
 * Enqueues the mail with a link to the donor's own pages, in the caller's transaction. Does not look up the donor: only
 * the workflow that sends the mail finds out whether there is one (`issueDonorLink`), so that the request takes equally
 * long for every address.
 * @param spendOnAddress returns a throttle hit that counts the mail for the address
 * @throws Refusal throttled
 */
export async function requestDonorLink(
  foundationId: string,
  email: string,
  spendOnAddress: (addressDigest: string) => ThrottleHit,
): Promise<void> {
  const { statement, requireBudget } = spendOnAddress(addressDigestOf(email));
  requireBudget(await oneRow(statement.text, statement.values));
  await writeNotice({
    userId: null,
    kind: 'donor_link',
    email,
    facts: { foundation_id: foundationId, organization_id: currentOrganization() },
    expiresInSeconds: LINK_SECONDS,
  });
}
