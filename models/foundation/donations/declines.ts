/**
 * Counts declined payments per network and e-mail address. The limit stops people who test stolen cards with small
 * gifts.
 */
import { sign } from '../../database/signatures.js';
import { firstRow } from '../../database/rows.js';
import { countHits } from '../../database/throttleWindows.js';

/** If more payments than this are declined within an hour, no further gift is accepted from that network or address. */
const MAX_DECLINES = { network: 30, email: 5 };
const WINDOW_SECONDS = 3_600;

const SCOPES = { network: 'declined_gifts_network', email: 'declined_gifts_email' } as const;

/**
 * Returns a keyed digest of a network. Without the key, the network cannot be found by computing the digests of all
 * networks.
 */
export const networkDigestOf = (network: string): string => sign('network of a gift', network).toString('base64url');

/** Returns the throttle key of an e-mail address. */
export const emailDigestOf = (email: string): string => sign('e-mail of a gift', email).toString('base64url');

/** SQL: whether the network `$network` or the address `$email`, both digests, has had too many declined payments. */
export const hasTooManyDeclines = (network: string, email: string): string => `EXISTS (
  SELECT FROM throttles t WHERE t.resets_at > clock_timestamp()
     AND ((t.scope = '${SCOPES.network}' AND t.key = ${network} AND t.hits > ${MAX_DECLINES.network})
       OR (t.scope = '${SCOPES.email}' AND t.key = ${email} AND t.hits > ${MAX_DECLINES.email})))`;

/** Counts a declined payment of a gift. */
export async function countDecline(donationId: string): Promise<void> {
  const gift = await firstRow<{ network_digest: string | null; email: string | null }>(
    `SELECT d.network_digest, o.email FROM donations d JOIN donors o ON o.organization_id = d.organization_id AND o.id = d.donor_id
      WHERE d.id = $1`,
    [donationId],
  );
  if (!gift) return;
  const { network_digest, email } = gift;
  const hits = [
    ...(email ? [{ scope: SCOPES.email, key: emailDigestOf(email) }] : []),
    ...(network_digest ? [{ scope: SCOPES.network, key: network_digest }] : []),
  ];
  await countHits(hits, WINDOW_SECONDS);
}
