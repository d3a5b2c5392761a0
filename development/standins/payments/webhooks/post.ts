/** One signed POST of an event. */
import http from 'node:http';
import https from 'node:https';
import { signatureHeader } from './signature.js';

const TIMEOUT_MS = 10_000;

export interface PostResult {
  /** HTTP status of the receiver's response; null when there was none. */
  status: number | null;
  error: string | null;
}

/** Posts a payload that is signed now. Failures are returned as results, never thrown. */
export function postSigned(url: string, secret: string, payload: string, abort: AbortSignal): Promise<PostResult> {
  const client = url.startsWith('https:') ? https : http;
  return new Promise((resolve) => {
    const fail = (error: Error): void => resolve({ status: null, error: error.message });
    const request = client.request(url, {
      method: 'POST',
      // Do not reuse connections. The receiver may have just closed a reused connection, and the attempt would fail.
      agent: false,
      timeout: TIMEOUT_MS,
      signal: abort,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(payload),
        'Stripe-Signature': signatureHeader(payload, secret, Math.floor(Date.now() / 1000)),
        'User-Agent': 'Stripe/1.0 (stand-in)',
      },
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    request.on('error', fail);
    request.on('response', (response) => {
      response.resume();
      response.on('error', fail);
      response.on('end', () => resolve({ status: response.statusCode ?? null, error: null }));
    });
    request.end(payload);
  });
}
