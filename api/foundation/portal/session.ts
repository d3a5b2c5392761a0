/** The cookie of a signed-in donor, and transactions on their behalf. */
import { refuse } from '../../../models/errors.js';
import {
  endDonorSession,
  openDonorSession,
  type Portal,
  readPortal,
  SESSION_SECONDS,
  type SignedInDonor,
} from '../../../models/foundation/portal/donorSessions.js';
import { ownTransaction } from '../../http/dispatch.js';
import type { AnswerCookie, RequestFacts } from '../../http/routes.js';
import { inFoundation } from '../inFoundation.js';

const COOKIE = 'donor_session';

/**
 * The cookie of a session. Browsers send it to the donor's own pages only, and with no request that another site
 * causes.
 */
const cookieOf = (value: string | null): AnswerCookie => ({
  name: COOKIE,
  value,
  path: '/giving',
  maxAgeSeconds: SESSION_SECONDS,
  sameSite: 'strict',
});

const tokenOf = ({ raw }: RequestFacts): string | undefined => {
  const token = (raw.cookies as Record<string, unknown> | undefined)?.[COOKIE];
  return typeof token === 'string' ? token : undefined;
};

/**
 * Runs `work` in one read-only transaction, for a foundation and the donor who is signed in to it, if any.
 * @throws Refusal not_found
 */
export const inPortal = <T>(
  request: RequestFacts,
  foundationId: string,
  work: (portal: Portal) => Promise<T>,
): Promise<T> => inFoundation(foundationId, { readOnly: true }, async () => work(await readPortal(tokenOf(request))));

/** A foundation and its signed-in donor. */
export interface OwnPortal extends Portal {
  donor: SignedInDonor;
}

/** Whether somebody is signed in. */
export const isSignedIn = (portal: Portal): portal is OwnPortal => portal.donor !== null;

/**
 * Runs `work` in one transaction, for the donor who is signed in.
 * @throws Refusal not_found, not_authenticated
 */
export const asDonor = <T>(
  request: RequestFacts,
  foundationId: string,
  options: { readOnly: boolean },
  work: (portal: OwnPortal) => Promise<T>,
): Promise<T> =>
  inFoundation(foundationId, { ...ownTransaction(request), ...options }, async () => {
    const portal = await readPortal(tokenOf(request));
    if (!isSignedIn(portal)) throw refuse.not_authenticated('You are not signed in. Ask for a link.');
    return work(portal);
  });

/** Uses a mailed link. @returns the cookie of the session that it opens. @throws Refusal not_found, donor_link_invalid */
export const signIn = async (request: RequestFacts, foundationId: string, token: string): Promise<AnswerCookie> =>
  cookieOf(await inFoundation(foundationId, ownTransaction(request), () => openDonorSession(token)));

/** Ends the session of the request's cookie. @returns the deletion of the cookie. @throws Refusal not_found */
export async function signOut(request: RequestFacts, foundationId: string): Promise<AnswerCookie> {
  const token = tokenOf(request);
  await inFoundation(foundationId, ownTransaction(request), async () => {
    if (token !== undefined) await endDonorSession(token);
  });
  return cookieOf(null);
}
