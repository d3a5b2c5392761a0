/** How tokens travel: to browsers as HttpOnly cookies, to native clients in the body (spec: Credential transport). */
import type { Device } from '../../models/identity/startSession.js';
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS, type SessionTokens } from '../../models/identity/tokens.js';
import { Answer, type AnswerCookie, type RequestFacts } from '../http/routes.js';

const cookie = (name: string, value: string | null, maxAgeSeconds: number): AnswerCookie => ({
  name,
  value,
  path: '/',
  maxAgeSeconds,
});

/** What a browser is told to forget. */
export const CLEARED_COOKIES: AnswerCookie[] = [cookie('access_token', null, 0), cookie('refresh_token', null, 0)];

/** The client that asks to sign in, as it describes itself. */
export function deviceOf({ raw, ipAddress, userAgent }: RequestFacts): Device {
  const client = String(raw.headers['x-client']).toLowerCase() === 'native' ? 'native' : 'web';
  return { client, ipAddress, userAgent };
}

/**
 * Adds tokens to an answer in the way that the session's client keeps them. The session decides, not the request:
 * a script in a page could ask for the tokens of its cookies with a header.
 */
export function withTokens<Body extends object>(body: Body, client: Device['client'], tokens: SessionTokens) {
  if (client === 'native') return new Answer<Body & Partial<SessionTokens>>({ ...body, ...tokens });
  const cookies = [
    cookie('access_token', tokens.access_token, ACCESS_TOKEN_SECONDS),
    cookie('refresh_token', tokens.refresh_token, REFRESH_TOKEN_SECONDS),
  ];
  return new Answer<Body & Partial<SessionTokens>>(body, { cookies });
}

/** The refresh token: the body first, then the cookie. */
export function refreshTokenOf(body: { refresh_token?: string | undefined }, { raw }: RequestFacts): string | null {
  const kept = (raw.cookies as Record<string, unknown> | undefined)?.['refresh_token'];
  return body.refresh_token ?? (typeof kept === 'string' && kept !== '' ? kept : null);
}
