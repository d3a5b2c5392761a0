/** Makes one call: builds its request, and reads its answer. */
import createOpenApiClient from 'openapi-fetch';
import { exchange, type Exchanged } from './exchange.js';
import type { paths } from './generated/api.js';
import { randomId } from './lock.js';
import { failureOf, type Result, type Sent } from './result.js';
import type { Session } from './session.js';
import { withDeadline } from './transport.js';
import type { Method } from './types.js';

/** The options of a call, as far as this file reads them. */
export interface AnyOptions {
  params?: { query?: Record<string, unknown> };
  signal?: AbortSignal;
  timeoutMs?: number;
}

export type AnyCall = (method: Method, path: string, options?: AnyOptions) => Promise<Result<unknown>>;

export interface CallDefaults {
  baseUrl: string;
  timeoutMs: number;
  organizationId: () => string | undefined;
}

/** Returns a function that makes calls. */
export function createCall(session: Session, defaults: CallDefaults): AnyCall {
  const { baseUrl } = defaults;
  const openApi = createOpenApiClient<paths>({ baseUrl, credentials: session.requestCredentials });

  async function call(method: Method, path: string, options: AnyOptions, deadline: AbortSignal) {
    const requestId = randomId();
    const organizationId = defaults.organizationId();
    const headers = {
      'X-Request-Id': requestId,
      ...(organizationId !== undefined && { 'X-Organization-Id': organizationId }),
    };
    const exchanges: Exchanged[] = [];
    // openapi-fetch builds the request. Its answer is read here, because its type depends on the operation.
    const fetch = async (request: Request): Promise<Response> => {
      exchanges.push(await exchange(request, session, deadline));
      return new Response(null, { status: 204 });
    };
    await openApi.request(method, path as never, { ...options, headers, fetch } as never);
    const [exchanged] = exchanges;
    if (!exchanged) throw new Error('openapi-fetch sent no request.');
    return exchanged.ok ? resultOf(exchanged.answer, { requestId, changesNothing: method === 'get' }) : exchanged;
  }

  return async (method, path, { signal, timeoutMs = defaults.timeoutMs, ...options } = {}) => {
    if (signal?.aborted) throw signal.reason;
    const result = await withDeadline(timeoutMs, signal, (deadline) => call(method, path, options, deadline));
    if (method === 'get' && !result.ok && signal?.aborted) throw signal.reason;
    return result;
  };
}

/** Reads a complete answer: JSON is parsed, text is a string, and every other file is a Blob. */
async function resultOf(answer: Response, sent: Sent): Promise<Result<unknown>> {
  const type = answer.headers.get('Content-Type');
  if (type === null) return { ok: true, data: undefined };
  // A page of the API has the id of the request. Without it, a proxy on the way has answered.
  if (type.startsWith('text/html') && !answer.headers.has('X-Request-Id')) return failureOf(undefined, sent);
  if (type.startsWith('text/')) return { ok: true, data: await answer.text() };
  if (!/[/+]json\b/.test(type)) return { ok: true, data: await answer.blob() };
  try {
    return { ok: true, data: await answer.json() };
  } catch {
    return failureOf(undefined, sent);
  }
}
