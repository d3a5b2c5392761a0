/** Selects the connection quota of a request. */
import type { Request } from 'express';
import { withRequestLimits, type AnonymousClient } from '../../models/database/connectionQuota.js';
import type { TokenClaims } from '../../models/identity/tokens.js';
import { keyOf } from './throttles/keys.js';

/**
 * Returns the quota key of a request. The key comes only from the signed token, because a header can claim anything. A
 * platform admin who acts in an organization uses a quota of their own.
 */
export const quotaKeyOf = ({ org, sub }: TokenClaims): string => org ?? `user:${sub}`;

/**
 * Runs work of a public route with the quota of the token's organization. Without a token, the anonymous quota applies.
 */
export const withQuotaOf = <T>(claims: TokenClaims | null, work: () => Promise<T>): Promise<T> =>
  claims ? withRequestLimits(quotaKeyOf(claims), work) : work();

/** Anonymous client, identified by the network that throttles use too. */
export const anonymousClientOf = (
  request: Request,
  purpose: AnonymousClient['purpose'] = 'public',
): AnonymousClient => ({
  purpose,
  address: keyOf('ip', request, false) as string,
});
