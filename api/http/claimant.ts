/** Selects the connection quota of a request. */
import type { Request } from 'express';
import { asRequestOf, type Stranger } from '../../models/database/requests.js';
import type { TokenClaims } from '../../models/identity/tokens.js';
import { keyOf } from './throttles/keys.js';

/**
 * Quota key from the signed token only; a header can claim anything. A platform admin who acts in an organization
 * uses a quota of their own.
 */
export const claimantOf = ({ org, sub }: TokenClaims): string => org ?? `user:${sub}`;

/**
 * Runs work of a public route with the quota of the token's organization; with none, null is given and the anonymous
 * quota applies.
 */
export const onBehalfOf = <T>(claims: TokenClaims | null, work: () => Promise<T>): Promise<T> =>
  claims ? asRequestOf(claimantOf(claims), work) : work();

/** Anonymous client, identified by the network that throttles use too. */
export const strangerOf = (request: Request, part: Stranger['part'] = 'public'): Stranger => ({
  part,
  address: keyOf('ip', request, false) as string,
});
