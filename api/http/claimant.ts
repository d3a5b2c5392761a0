/** Whose share of the connections a request takes of. */
import type { Request } from 'express';
import { asRequestOf, type Stranger } from '../../models/database/requests.js';
import type { TokenClaims } from '../../models/identity/tokens.js';
import { keyOf } from './throttles/keys.js';

/**
 * By a token that we signed, and by it alone: what a header says, anybody can say. A platform admin who acts in an
 * organization takes of neither its share nor another admin's.
 */
export const claimantOf = ({ org, sub }: TokenClaims): string => org ?? `user:${sub}`;

/** Work of a public route for whoever showed this token: its organization's, not the strangers'. Null: it showed none. */
export const onBehalfOf = <T>(claims: TokenClaims | null, work: () => Promise<T>): Promise<T> =>
  claims ? asRequestOf(claimantOf(claims), work) : work();

/** Somebody who is not signed in, told apart by the network that throttles tell them apart by. */
export const strangerOf = (request: Request, part: Stranger['part'] = 'public'): Stranger => ({
  part,
  address: keyOf('ip', request, false) as string,
});
