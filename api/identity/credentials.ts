/**
 * Credential transport: tokens reach browsers as HttpOnly cookies, and native clients in the body (spec: Credential
 * transport).
 */
import type { Device } from '../../models/identity/startSession.js';
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS, type SessionTokens } from '../../models/identity/tokens.js';
import { Answer, type AnswerCookie, type RequestFacts } from '../http/routes.js';

const cookie = (name: string, value: string | null, maxAgeSeconds: number): AnswerCookie => ({
  name,
  value,
  path: '/',
  maxAgeSeconds,
});

/** Cookies that delete a browser's tokens. */
export const CLEARED_COOKIES: AnswerCookie[] = [cookie('access_token', null, 0), cookie('refresh_token', null, 0)];

/** Describes the client that signs in, from its headers. */
export function deviceOf({ raw, ipAddress, userAgent }: RequestFacts): Device {
  const client = String(raw.headers['x-client']).toLowerCase() === 'native' ? 'native' : 'web';
  return { client, ipAddress, userAgent };
}

/**
 * Adds tokens to a response, as cookies or in the body. The session's client decides, not the request: otherwise a
 * script in a page could read the tokens of its cookies by sending a header.
 */
export function withTokens<Body extends object>(body: Body, client: Device['client'], tokens: SessionTokens) {
  if (client === 'native') return new Answer<Body & Partial<SessionTokens>>({ ...body, ...tokens });
  const cookies = [
    cookie('access_token', tokens.access_token, ACCESS_TOKEN_SECONDS),
    cookie('refresh_token', tokens.refresh_token, REFRESH_TOKEN_SECONDS),
  ];
  return new Answer<Body & Partial<SessionTokens>>(body, { cookies });
}

/** Returns the refresh token: from the body first, then from the cookie. */
export function refreshTokenOf(body: { refresh_token?: string | undefined }, { raw }: RequestFacts): string | null {
  const cookieValue = (raw.cookies as Record<string, unknown> | undefined)?.['refresh_token'];
  return body.refresh_token ?? (typeof cookieValue === 'string' && cookieValue !== '' ? cookieValue : null);
}
