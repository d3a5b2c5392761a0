/** Transport of the restore token: in its own cookie, or in the body (spec: Impersonation, rule 2). */
import { z } from 'zod';
import { RESTORE_TOKEN_SECONDS } from '../../../models/identity/impersonation/restoreToken.js';
import type { AnswerCookie, RequestFacts } from '../../http/routes.js';

const NAME = 'restore_token';
const PATH = '/api/auth/';

/** Field of bodies that accept a restore token. */
export const restoreTokenField = {
  restore_token: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .meta({ description: 'Restore token of an impersonation. For native clients; browsers send the cookie.' }),
};

export const restoreCookie = (value: string): AnswerCookie => ({
  name: NAME,
  value,
  path: PATH,
  maxAgeSeconds: RESTORE_TOKEN_SECONDS,
});

export const CLEARED_RESTORE_COOKIE: AnswerCookie = { name: NAME, value: null, path: PATH, maxAgeSeconds: 0 };

/** Returns the restore token: from the body first, then from the cookie. */
export function restoreTokenOf(body: { restore_token?: string | undefined }, { raw }: RequestFacts): string | null {
  const cookieValue = (raw.cookies as Record<string, unknown> | undefined)?.[NAME];
  return body.restore_token ?? (typeof cookieValue === 'string' && cookieValue !== '' ? cookieValue : null);
}
