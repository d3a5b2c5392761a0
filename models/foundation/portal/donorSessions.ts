/** Sessions of donors on their own pages. A mailed link opens one; a donor has no account and no password. */
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { hashToken, newToken } from '../../identity/secretTokens.js';
import { foundationErrors } from '../errors.js';

export const SESSION_SECONDS = 2 * 60 * 60;

/** The form of tokens, in links and in the cookie: 256 bits in base64url. */
const TOKEN = /^[\w-]{43}$/;

/** A signed-in donor. */
export interface SignedInDonor {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  /** The preference for gifts that do not say whether they are anonymous. */
  is_anonymous: boolean;
}

/** A foundation, and the donor to whom a session belongs. */
export interface Portal {
  foundation: { id: string; name: string };
  /** Null without a session of this foundation. */
  donor: SignedInDonor | null;
}

/** Reads the tenant's foundation, and the donor of the session with this token. */
export const readPortal = (token: string | undefined): Promise<Portal> =>
  oneRow<Portal>(
    `SELECT json_build_object('id', f.id, 'name', f.name) AS foundation,
            (SELECT json_build_object('id', d.id, 'email', d.email, 'first_name', d.first_name, 'last_name', d.last_name,
                      'is_anonymous', d.is_anonymous)
               FROM donor_sessions s JOIN donors d ON d.organization_id = s.organization_id AND d.id = s.donor_id
              WHERE s.organization_id = f.organization_id AND s.token_hash = $2 AND s.expires_at > now()) AS donor
       FROM foundation_configs f WHERE f.organization_id = $1`,
    [currentOrganization(), token !== undefined && TOKEN.test(token) ? hashToken(token) : null],
  );

/** Whether a link can still sign in. Reading it changes nothing, because mail scanners open links. */
export async function isDonorLinkOpen(token: string): Promise<boolean> {
  if (!TOKEN.test(token)) return false;
  const link = await firstRow(
    'SELECT id FROM donor_links WHERE organization_id = $1 AND token_hash = $2 AND expires_at > now()',
    [currentOrganization(), hashToken(token)],
  );
  return link !== null;
}

/**
 * Uses a link: deletes it and opens a session. Of several concurrent requests with one link, one succeeds.
 * @returns the token of the session, of which only the digest is stored
 * @throws Refusal donor_link_invalid
 */
export async function openDonorSession(linkToken: string): Promise<string> {
  const token = newToken();
  const opened =
    TOKEN.test(linkToken) &&
    (await firstRow(
      `WITH used AS (
         DELETE FROM donor_links WHERE organization_id = $1 AND token_hash = $2 AND expires_at > now() RETURNING donor_id)
       INSERT INTO donor_sessions (organization_id, donor_id, token_hash, expires_at)
       SELECT $1, donor_id, $3, now() + $4 * interval '1 second' FROM used RETURNING id`,
      [currentOrganization(), hashToken(linkToken), hashToken(token), SESSION_SECONDS],
    ));
  if (!opened) throw foundationErrors.donor_link_invalid();
  return token;
}

/** Ends a session. An unknown token changes nothing. */
export const endDonorSession = async (token: string): Promise<void> =>
  void (await rows('DELETE FROM donor_sessions WHERE organization_id = $1 AND token_hash = $2', [
    currentOrganization(),
    hashToken(token),
  ]));
