/** Answers that send a browser on, and the cookies that bind its sign-ins to it. */
import { permittedRedirect } from '../../../models/identity/sso/redirects.js';
import { FLOW_SECONDS } from '../../../models/identity/sso/flows.js';
import { hashToken } from '../../../models/identity/secretTokens.js';
import { Answer, type AnswerCookie, type RequestFacts } from '../../http/routes.js';

const PREFIX = 'sso_flow';
/** Sign-ins that one browser may have under way, in as many tabs. */
const MOST_FLOWS = 8;

/** SameSite=Lax and HttpOnly, as all of ours. Lives a minute longer than the flow, for the code. */
const cookie = (name: string, value: string | null): AnswerCookie => ({
  name,
  value,
  path: '/api/auth/sso/',
  maxAgeSeconds: FLOW_SECONDS + 60,
});

/** A flow has a cookie of its own, so that a second tab takes nothing from the first. */
const nameOf = (browserHash: string): string => `${PREFIX}_${browserHash.slice(0, 12)}`;

/** The cookies of this browser's flows; browsers send those first that they have had for longest (RFC 6265, 5.4). */
function keptFlows({ raw }: RequestFacts): [name: string, token: string][] {
  const kept = Object.entries((raw.cookies ?? {}) as Record<string, unknown>);
  return kept.filter((entry): entry is [string, string] => entry[0].startsWith(PREFIX) && typeof entry[1] === 'string');
}

/** The cookie of a new flow; the oldest ones make room. */
export function flowCookies(request: RequestFacts, token: string): AnswerCookie[] {
  const surplus = keptFlows(request).slice(0, 1 - MOST_FLOWS);
  return [...surplus.map(([name]) => cookie(name, null)), cookie(nameOf(hashToken(token)), token)];
}

/** @param browserHash of the flow that is over */
export const clearedFlowCookie = (browserHash: string): AnswerCookie => cookie(nameOf(browserHash), null);

/** What this browser may prove its flows with. */
export const flowTokensOf = (request: RequestFacts): string[] =>
  keptFlows(request)
    .map(([, token]) => token)
    .slice(-2 * MOST_FLOWS);

/** 302. @throws Error for a scheme that is neither http, https nor the deployment's own */
export const redirectTo = (url: string, cookies: AnswerCookie[] = []): Answer<undefined> =>
  new Answer(undefined, { status: 302, headers: { Location: permittedRedirect(url) }, cookies });
