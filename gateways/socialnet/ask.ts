/** One bounded request to the network: a time limit, a size limit, no redirects, JSON or nothing. */
import { config } from '../../config.js';
import { NetworkUnavailable } from './port.js';

const LARGEST_ANSWER = 65_536;

interface Request {
  method?: 'POST';
  headers?: Record<string, string>;
  body?: URLSearchParams | string;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Undefined when it is no JSON. */
  body: unknown;
}

/** @throws NetworkUnavailable without an answer in time */
export async function ask(url: string, request: Request): Promise<Answer> {
  try {
    const response = await fetch(url, {
      ...request,
      headers: { ...request.headers, Accept: 'application/json' },
      // A secret or a token would go wherever a redirect leads.
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
    if (size > LARGEST_ANSWER) throw new NetworkUnavailable('too_large');
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
