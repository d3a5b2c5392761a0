/** One request to the network, with a time limit and a size limit, without redirects. */
import { config } from '../../config.js';
import { NetworkUnavailable } from './port.js';

const MAX_RESPONSE_BYTES = 65_536;

interface Request {
  method?: 'POST';
  headers?: Record<string, string>;
  body?: URLSearchParams | string;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed JSON; undefined if the body is not JSON. */
  body: unknown;
}

/**
 * Sends a request.
 * @throws NetworkUnavailable if there is no response in time
 */
export async function sendRequest(url: string, request: Request): Promise<Answer> {
  try {
    const response = await fetch(url, {
      ...request,
      headers: { ...request.headers, Accept: 'application/json' },
      // A redirect would send the secret or token to another address.
      redirect: 'error',
      signal: AbortSignal.timeout(config.SOCIALNET_TIMEOUT_SECONDS * 1000),
    });
    return { status: response.status, headers: response.headers, body: parse(await readBounded(response)) };
  } catch (error) {
    if (error instanceof NetworkUnavailable) throw error;
    throw new NetworkUnavailable(error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unreachable');
  }
}

async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) throw new NetworkUnavailable('too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
