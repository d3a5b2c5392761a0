/** Redirect responses, and the cookies that bind a sign-in to its browser. */
import { permittedRedirect } from '../../../models/identity/sso/redirects.js';
import { FLOW_SECONDS } from '../../../models/identity/sso/flows.js';
import { hashToken } from '../../../models/identity/secretTokens.js';
import { Answer, type AnswerCookie, type RequestFacts } from '../../http/routes.js';

const PREFIX = 'sso_flow';
/** Maximum number of concurrent sign-ins of one browser, for example in several tabs. */
const MAX_FLOWS = 8;

/**
 * Builds a cookie with SameSite=Lax and HttpOnly, like all cookies of this server. It expires a minute after the flow,
 * which leaves time to exchange the code.
 */
const cookie = (name: string, value: string | null): AnswerCookie => ({
  name,
  value,
  path: '/api/auth/sso/',
  maxAgeSeconds: FLOW_SECONDS + 60,
});

/** Name of a flow's cookie. Each flow has its own, so that a second tab does not disturb the first. */
const nameOf = (browserHash: string): string => `${PREFIX}_${browserHash.slice(0, 12)}`;

/** Returns this browser's flow cookies. Browsers send the oldest cookies first (RFC 6265, 5.4). */
function flowCookiesOf({ raw }: RequestFacts): [name: string, token: string][] {
  const entries = Object.entries((raw.cookies ?? {}) as Record<string, unknown>);
  return entries.filter(
    (entry): entry is [string, string] => entry[0].startsWith(PREFIX) && typeof entry[1] === 'string',
  );
}

/** Returns the cookie of a new flow, and deletions of the oldest ones above the limit. */
export function flowCookies(request: RequestFacts, token: string): AnswerCookie[] {
  const surplus = flowCookiesOf(request).slice(0, 1 - MAX_FLOWS);
  return [...surplus.map(([name]) => cookie(name, null)), cookie(nameOf(hashToken(token)), token)];
}

/**
 * Clears the cookie of a finished flow.
 * @param browserHash hash of the flow's browser token
 */
export const clearedFlowCookie = (browserHash: string): AnswerCookie => cookie(nameOf(browserHash), null);

/** Returns the tokens with which this browser can prove its flows. */
export const flowTokensOf = (request: RequestFacts): string[] =>
  flowCookiesOf(request)
    .map(([, token]) => token)
    .slice(-2 * MAX_FLOWS);

/**
 * Builds a 302 response.
 * @throws Error for a scheme that is neither http, https nor the deployment's own
 */
export const redirectTo = (url: string, cookies: AnswerCookie[] = []): Answer<undefined> =>
  new Answer(undefined, { status: 302, headers: { Location: permittedRedirect(url) }, cookies });
