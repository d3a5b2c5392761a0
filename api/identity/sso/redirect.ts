/** Answers that send a browser on, and the cookie that binds a sign-in to it. */
import { permittedRedirect } from '../../../models/identity/sso/redirects.js';
import { FLOW_SECONDS } from '../../../models/identity/sso/flows.js';
import { Answer, type AnswerCookie, type RequestFacts } from '../../http/routes.js';

const FLOW_COOKIE = 'sso_flow';

/** SameSite=Lax and HttpOnly, as all of ours. Lives a minute longer than the flow, for the code. @param token null clears it */
export const flowCookie = (token: string | null): AnswerCookie => ({
  name: FLOW_COOKIE,
  value: token,
  path: '/api/auth/sso/',
  maxAgeSeconds: FLOW_SECONDS + 60,
});

export function flowTokenOf({ raw }: RequestFacts): string | null {
  const kept = (raw.cookies as Record<string, unknown> | undefined)?.[FLOW_COOKIE];
  return typeof kept === 'string' && kept !== '' ? kept : null;
}

/** 302. @throws Error for a scheme that is neither http, https nor the deployment's own */
export const redirectTo = (url: string, cookies: AnswerCookie[] = []): Answer<undefined> =>
  new Answer(undefined, { status: 302, headers: { Location: permittedRedirect(url) }, cookies });
