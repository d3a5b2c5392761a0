import { createHash } from 'node:crypto';
import type { Response } from 'express';

/** Sets an answer's ETag (RFC 9110, 8.8.3), and answers 304 to a client that has it already (13.1.2). */
export function stillFresh(response: Response, text: string): boolean {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'public, no-cache');
  const known = response.req.get('If-None-Match') ?? '';
  const fresh = known.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
  if (fresh) response.statusCode = 304;
  return fresh;
}
