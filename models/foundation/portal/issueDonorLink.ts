import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { asTenant } from '../../database/tenancy.js';
import { hashToken, newToken } from '../../identity/secretTokens.js';
import type { IssuedLink } from '../../identity/upstream.js';

/** A link works for this long, whether it waits for the mail server or in the mailbox. */
export const LINK_SECONDS = 15 * 60;

/**
 * Issues a link just before its mail is sent. Stores only the digest of its token. The transaction has no tenant.
 * @returns null when the foundation has no donor with this address, or its organization is suspended
 */
export const issueDonorLink = (organizationId: string, email: string): Promise<IssuedLink | null> =>
  asTenant(organizationId, async () => {
    // The lock makes a concurrent change of the address or an erasure end this link as well.
    const donor = await firstRow<{ id: string; first_name: string; foundation: string }>(
      `SELECT d.id, d.first_name, f.name AS foundation
         FROM donors d JOIN foundation_configs f ON f.organization_id = d.organization_id
         JOIN organizations o ON o.id = d.organization_id AND o.is_active
        WHERE d.organization_id = $1 AND d.email = $2 FOR SHARE OF d`,
      [organizationId, email],
    );
    if (!donor) return null;
    const token = newToken();
    await rows(
      `INSERT INTO donor_links (organization_id, donor_id, token_hash, expires_at)
       VALUES ($1, $2, $3, now() + $4 * interval '1 second')`,
      [currentOrganization(), donor.id, hashToken(token), LINK_SECONDS],
    );
    return { secret: token, firstName: donor.first_name, facts: { foundation: donor.foundation } };
  });
