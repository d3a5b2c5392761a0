import { createHash } from 'node:crypto';
import type { Response } from 'express';

/**
 * Sets the ETag of a response (RFC 9110, 8.8.3), and the status 304 if the client already has this response (13.1.2).
 * @returns whether the response is not modified
 */
export function answerNotModified(response: Response, text: string): boolean {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'public, no-cache');
  const clientEtags = response.req.get('If-None-Match') ?? '';
  const isNotModified = clientEtags
    .split(',')
    .some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
  if (isNotModified) response.statusCode = 304;
  return isNotModified;
}
