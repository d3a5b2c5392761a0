/** Push to iOS devices: APNs over HTTP/2, with a provider token (ES256) in place of certificates. */
import type { ClientHttp2Session, IncomingHttpHeaders } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { Notification, Provider, type ResponseFailure } from '@parse/node-apn';
import { type ApnsAnswer, apnsVerdict } from './apnsAnswers.js';
import { fitPayload } from './fitPayload.js';
import type { PushAdapter, PushEnvironment, PushMessage } from './port.js';
import { refused } from './verdicts.js';

export interface ApnsSettings {
  /** PEM of the signing key that Apple issued. */
  key: string;
  keyId: string;
  teamId: string;
  /** The bundle id of the app. */
  topic: string;
  /**
   * Address of one server that replaces both servers of Apple; undefined: Apple's servers are used. This server gets
   * the pushes of both environments, and the header `:authority` tells the environment of a push.
   */
  url: string | undefined;
  /** PEM of the certificate authority of the server at `url`; undefined: the authorities that Node trusts. */
  ca: string | undefined;
}

const HOSTS: Record<PushEnvironment, string> = {
  production: 'api.push.apple.com',
  sandbox: 'api.sandbox.push.apple.com',
};

const TIMEOUT_MS = 10_000;
/** Our own time limit for a push. The library may wait forever if a connection breaks while it is being closed. */
const DEADLINE_MS = TIMEOUT_MS + 5_000;
/** The time to live of a push: one day. */
const TTL_SECONDS = 86_400;

/**
 * The library's request method. We wrap it, because the library exposes neither the header Retry-After nor the status
 * of every failure.
 */
type LibraryRequest = (
  session: Pick<ClientHttp2Session, 'request'>,
  authority: string,
  built: { headers: Record<string, string>; body: string },
  ...rest: unknown[]
) => Promise<unknown>;
/** Response headers by the id of the message. */
type Heads = Map<string, Pick<ApnsAnswer, 'status' | 'retryAfter' | 'apnsId'>>;

export function apns(settings: ApnsSettings): PushAdapter {
  const heads: Heads = new Map();
  const providers = {
    production: providerOf(settings, 'production', heads),
    sandbox: providerOf(settings, 'sandbox', heads),
  };
  return {
    async send(message) {
      const notification = notificationOf(settings.topic, message);
      if (!notification) return refused('payload_too_large');
      const timeout = new AbortController();
      try {
        const sending = providers[message.environment].send(notification, message.token);
        const result = await Promise.race([sending, sleep(DEADLINE_MS, null, { signal: timeout.signal })]);
        const head = heads.get(message.recordId) ?? { status: null, retryAfter: null, apnsId: null };
        return apnsVerdict({ ...head, ...reasonOf(result?.failed[0]) });
      } finally {
        timeout.abort();
        heads.delete(message.recordId);
      }
    },
    close: () => {
      for (const provider of Object.values(providers)) void provider.shutdown();
    },
  };
}

function providerOf(settings: ApnsSettings, environment: PushEnvironment, heads: Heads): Provider {
  const { key, keyId, teamId, url, ca } = settings;
  const server = url === undefined ? undefined : new URL(url);
  const provider = new Provider({
    token: { key, keyId, teamId },
    address: server?.hostname ?? HOSTS[environment],
    port: Number(server?.port || 443),
    // The library must not resend by itself: its attempts would be missing in the delivery records.
    connectionRetryLimit: 0,
    requestTimeout: TIMEOUT_MS,
    ...(ca === undefined ? {} : { ca: [Buffer.from(ca)] }),
  });
  const { client } = provider as unknown as { client: { request: LibraryRequest } };
  const ask = client.request.bind(client);
  client.request = (session, _authority, built, ...rest) =>
    ask(recordingHeaders(session, built.headers['apns-id'] ?? '', heads), HOSTS[environment], built, ...rest);
  return provider;
}

/** Wraps a session, so that the response headers are recorded. */
function recordingHeaders(session: Pick<ClientHttp2Session, 'request'>, id: string, heads: Heads) {
  return {
    request: (headers: Parameters<ClientHttp2Session['request']>[0]) => {
      const stream = session.request(headers);
      stream.once('response', (head: IncomingHttpHeaders & { ':status'?: number }) => {
        const apnsId = head['apns-id'];
        heads.set(id, {
          status: head[':status'] ?? null,
          retryAfter: head['retry-after'] ?? null,
          apnsId: typeof apnsId === 'string' ? apnsId : null,
        });
      });
      return stream;
    },
  };
}

/** Returns the reason of a failure: the body of the response, or why there was no response. */
function reasonOf(failure: ResponseFailure | undefined): Pick<ApnsAnswer, 'reason' | 'timestamp'> {
  const { response, error } = (failure ?? {}) as {
    response?: { reason?: unknown; timestamp?: unknown };
    error?: Error & { cause?: () => (Error & { code?: unknown }) | undefined };
  };
  if (response) return { reason: response.reason, timestamp: response.timestamp };
  return { reason: error?.cause?.()?.code ?? error?.message };
}

function notificationOf(topic: string, message: PushMessage): Notification | null {
  const { title, body, badge, data } = message;
  const payload = fitPayload({ title, body }, (alert) => ({ aps: { alert, badge, sound: 'default' }, ...data }));
  if (payload === null) return null;
  return new Notification({
    rawPayload: JSON.parse(payload),
    id: message.recordId,
    topic,
    pushType: 'alert',
    collapseId: message.collapseId,
    expiry: Math.floor(Date.now() / 1000) + TTL_SECONDS,
  });
}
