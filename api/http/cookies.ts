/** Cookie attributes (spec: Credential transport). */
import type { Response } from 'express';
import { config } from '../../config.js';
import type { AnswerCookie } from './routes.js';

export function sendCookies(response: Response, cookies: AnswerCookie[]): void {
  for (const { name, value, path, maxAgeSeconds, sameSite = 'lax' } of cookies) {
    const attributes = { httpOnly: true, secure: config.cookieSecure, sameSite, path } as const;
    if (value === null) response.clearCookie(name, attributes);
    else response.cookie(name, value, { ...attributes, maxAge: maxAgeSeconds * 1000 });
  }
}
