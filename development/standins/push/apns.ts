/**
 * Apple's push service: TLS and HTTP/2, provider tokens, headers, payloads (Apple: 'Sending notification requests to
 * APNs').
 */
import { randomUUID } from 'node:crypto';
import http2, { type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Listening } from '../kit/listen.js';
import type { App } from './credentials.js';
import { type Fault, refusalOf } from './faults.js';
import type { Environment } from './phones.js';
import { faultOfProviderToken } from './providerToken.js';
import { MAX_PAYLOAD_BYTES, type Standin } from './standin.js';

export interface ApnsOptions {
  port: number;
  host: string;
  tls: { key: string; cert: string };
  /** PEM of the key with which senders sign. */
  key: string;
  app: App;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PUSH_TYPES = ['alert', 'background', 'voip', 'complication', 'fileprovider', 'mdm', 'location', 'liveactivity'];

interface Refusal {
  status: number;
  reason: string;
  timestamp?: number;
}

/** The readable parts of a request. */
interface Request {
  headers: IncomingHttpHeaders;
  environment: Environment;
  token: string;
  id: string;
  collapseId: string | null;
}

export async function serveApns(standin: Standin, options: ApnsOptions): Promise<Listening> {
  const sessions = new Set<http2.ServerHttp2Session>();
  const server = http2.createSecureServer({ ...options.tls, settings: { maxConcurrentStreams: 1_000 } });
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  // The listeners keep the process alive when a client breaks a connection.
  server.on('sessionError', () => undefined);
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    void answer(standin, options, stream, headers);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}

async function answer(standin: Standin, options: ApnsOptions, stream: ServerHttp2Stream, headers: IncomingHttpHeaders) {
  const request = readRequest(headers);
  const text = await bodyOf(stream);
  if (text === null) return;
  const note = (status: number | null, reason: string | null) =>
    standin.requests.add({
      platform: 'ios',
      environment: request.environment,
      token: request.token,
      id: request.id,
      collapse_id: request.collapseId,
      status,
      reason,
    });
  const sendAnswer = ({ status, ...body }: Refusal, more: Record<string, string> = {}) => {
    note(status, body.reason);
    if (stream.destroyed || stream.closed) return;
    stream.respond({ ':status': status, 'apns-id': request.id, ...more });
    stream.end(JSON.stringify(body));
  };

  const fault = standin.faults.useForMessage('ios', request.token);
  if (fault?.kind === 'hold') await standin.faults.hold();
  if (fault?.kind === 'hang') return note(null, 'hang');
  if (fault?.kind === 'drop_before' || fault?.kind === 'goaway') {
    note(null, fault.kind);
    if (fault.kind === 'goaway') stream.session?.goaway(http2.constants.NGHTTP2_NO_ERROR);
    return stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
  }
  const injected = fault && injectedRefusal(fault);
  if (injected) return sendAnswer(injected, retryHeader(fault));
  const refusal = refusalFor(standin, options, request, text);
  if (refusal) return sendAnswer(refusal);

  storeArrival(standin, request, text);
  if (fault?.kind === 'drop_after') {
    note(null, fault.kind);
    return stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR);
  }
  note(200, null);
  if (stream.destroyed || stream.closed) return;
  stream.respond({ ':status': 200, 'apns-id': request.id }, { endStream: true });
}

function readRequest(headers: IncomingHttpHeaders): Request {
  const text = (name: string) => (typeof headers[name] === 'string' ? headers[name] : undefined);
  return {
    headers,
    environment: text(':authority')?.startsWith('api.sandbox.') ? 'sandbox' : 'production',
    token: /^\/3\/device\/([^/?]+)$/.exec(text(':path') ?? '')?.[1] ?? '',
    id: text('apns-id') ?? randomUUID().toUpperCase(),
    collapseId: text('apns-collapse-id') ?? null,
  };
}

async function bodyOf(stream: ServerHttp2Stream): Promise<string | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  } catch {
    return null;
  }
}

function injectedRefusal(fault: Fault): Refusal | undefined {
  const refusal = refusalOf(fault, 'ios');
  if (!refusal) return undefined;
  const { status, reason = '' } = refusal;
  return { status, reason, ...(status === 410 && { timestamp: Date.parse(fault.since ?? new Date().toISOString()) }) };
}

const retryHeader = ({ retry_after_seconds: seconds }: Fault): Record<string, string> =>
  seconds === undefined ? {} : { 'retry-after': String(seconds) };

/** Validates in Apple's order: the request, the provider token, the headers, the payload, the device. */
function refusalFor(standin: Standin, { key, app }: ApnsOptions, request: Request, text: string): Refusal | null {
  const { headers, token, environment, id, collapseId } = request;
  const refuse = (status: number, reason: string): Refusal => ({ status, reason });
  if (headers[':method'] !== 'POST') return refuse(405, 'MethodNotAllowed');
  if (token === '') return refuse(404, 'BadPath');
  const tokenProblem = faultOfProviderToken(headers.authorization, key, app, standin.now());
  if (tokenProblem) return refuse(403, tokenProblem);
  if (!UUID.test(id)) return refuse(400, 'BadMessageId');
  if (collapseId !== null && Buffer.byteLength(collapseId) > 64) return refuse(400, 'BadCollapseId');
  if (!/^(10|5|1)$/.test(String(headers['apns-priority'] ?? '10'))) return refuse(400, 'BadPriority');
  if (!/^\d+$/.test(String(headers['apns-expiration'] ?? '0'))) return refuse(400, 'BadExpirationDate');
  if (!PUSH_TYPES.some((type) => type === headers['apns-push-type'])) return refuse(400, 'InvalidPushType');
  if (headers['apns-topic'] === undefined) return refuse(400, 'MissingTopic');
  if (headers['apns-topic'] !== app.topic) return refuse(400, 'TopicDisallowed');
  if (Buffer.byteLength(text) > MAX_PAYLOAD_BYTES) return refuse(413, 'PayloadTooLarge');
  if (payloadIn(text) === null) return refuse(400, 'PayloadEmpty');
  if (!/^([0-9a-f]{2}){32,100}$/i.test(token)) return refuse(400, 'BadDeviceToken');
  const phone = standin.phones.find(token);
  if (phone && (phone.platform !== 'ios' || phone.environment !== environment)) return refuse(400, 'BadDeviceToken');
  const removed = phone?.removed_at;
  return removed ? { ...refuse(410, 'Unregistered'), timestamp: Date.parse(removed) } : null;
}

interface Payload {
  aps: { alert?: string | { title?: string; body?: string }; badge?: number };
  [key: string]: unknown;
}

function payloadIn(text: string): Payload | null {
  try {
    const payload = JSON.parse(text) as Payload | null;
    return typeof payload?.aps === 'object' && payload.aps !== null ? payload : null;
  } catch {
    return null;
  }
}

function storeArrival({ phones }: Standin, request: Request, text: string): void {
  const { aps, ...data } = payloadIn(text) as Payload;
  const alert = typeof aps.alert === 'string' ? { body: aps.alert } : (aps.alert ?? {});
  phones.arrive({
    platform: 'ios',
    environment: request.environment,
    token: request.token,
    id: request.id,
    collapse_id: request.collapseId,
    title: alert.title ?? '',
    body: alert.body ?? '',
    badge: aps.badge ?? null,
    data,
  });
}
