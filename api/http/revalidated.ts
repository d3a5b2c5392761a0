import { createHash } from 'node:crypto';
import type { Response } from 'express';

/**
 * Gives an answer its ETag (RFC 9110, 8.8.3), and answers 304 to whoever has it already (13.1.2).
 * @param text the body
 * @returns whether it does
 */
export function stillFresh(response: Response, text: string): boolean {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'public, no-cache');
  const known = response.req.get('If-None-Match') ?? '';
  const fresh = known.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
  if (fresh) response.statusCode = 304;
  return fresh;
}
