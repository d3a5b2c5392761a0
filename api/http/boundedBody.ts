/** Bounds for bodies of public routes: admission, size, time, and concurrency. */
import type { Request, RequestHandler } from 'express';
import type { Release } from '../../models/database/fairSemaphore.js';
import { refuse } from '../../models/errors.js';
import { httpErrors } from './errorHandler.js';

export interface BodyBounds {
  /** Larger bodies are refused with 413. */
  maxBytes: number;
  /** A body that takes longer is refused with 408. */
  seconds: number;
  /** Decides before the body is read whether the request is admitted. Returns a function that releases its slot. */
  admit(request: Request): Promise<Release>;
}

/** Reads the body as bytes within these bounds. */
export function readBoundedBody(bounds: BodyBounds): RequestHandler {
  return async (request, response, next) => {
    response.once('finish', () => closeAfterLinger(request));
    const release = await bounds.admit(request);
    // The client disconnected while waiting.
    if (request.socket.destroyed) return release();
    response.once('close', release);
    request.body = await readAtMost(request, bounds);
    next();
  };
}

const LINGER_MS = 2_000;

/**
 * Discards the rest of a refused body for a moment, so that its sender can read the response; then closes the
 * connection.
 */
export function closeAfterLinger(request: Request): void {
  if (!request.complete) setTimeout(() => request.complete || request.socket.destroy(), LINGER_MS).unref();
}

/**
 * Reads the body.
 * @throws Refusal body_too_large, request_timeout, unsupported_media_type for a compressed body, malformed_request
 */
async function readAtMost(request: Request, { maxBytes, seconds }: BodyBounds): Promise<Buffer> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length = '0' } = request.headers;
  if (encoding.toLowerCase() !== 'identity') throw refuse.unsupported_media_type('Send the body without compression.');
  if (Number(length) > maxBytes) throw refuse.body_too_large();
  const chunks: Buffer[] = [];
  let size = 0;
  const cleanup = new AbortController();
  try {
    return await new Promise((resolve, reject) => {
      const deadline = setTimeout(() => reject(httpErrors.request_timeout()), seconds * 1000);
      const onData = (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) reject(refuse.body_too_large());
        else chunks.push(chunk);
      };
      const onEnd = () => resolve(Buffer.concat(chunks));
      const onBreak = () =>
        reject(httpErrors.malformed_request('The request ended before its whole body arrived. Send it again.'));
      request.on('data', onData).once('end', onEnd).once('error', onBreak).once('close', onBreak);
      cleanup.signal.addEventListener('abort', () => {
        clearTimeout(deadline);
        request.off('data', onData).off('end', onEnd).off('close', onBreak);
      });
    });
  } finally {
    cleanup.abort();
  }
}
