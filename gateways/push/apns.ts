/** Push to iOS devices: APNs over HTTP/2, with a provider token (ES256) in place of certificates. */
import type { ClientHttp2Session, IncomingHttpHeaders } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { Notification, Provider, type ResponseFailure } from '@parse/node-apn';
import { type ApnsAnswer, apnsVerdict } from './apnsAnswers.js';
import { fitting } from './fitting.js';
import type { PushAdapter, PushEnvironment, PushMessage } from './port.js';
import { refused } from './verdicts.js';

export interface ApnsSettings {
  /** PEM of the signing key that Apple gave out. */
  key: string;
  keyId: string;
  teamId: string;
  /** The bundle id of the app. */
  topic: string;
  /** Undefined: Apple's two servers. Another one answers for both, and sees in `:authority` which is meant. */
  url: string | undefined;
  /** PEM of the authority that vouches for that one; undefined: those that Node knows. */
  ca: string | undefined;
}

const HOSTS: Record<PushEnvironment, string> = {
  production: 'api.push.apple.com',
  sandbox: 'api.sandbox.push.apple.com',
};

const TIMEOUT_MS = 10_000;
/** The library may wait for ever where a session breaks while it is being closed. */
const DEADLINE_MS = TIMEOUT_MS + 5_000;
/** After a day nobody is to be woken any more. */
const KEPT_SECONDS = 86_400;

/** What the library does with each request. It tells neither the header Retry-After nor the status of every failure. */
type Ask = (
  session: Pick<ClientHttp2Session, 'request'>,
  authority: string,
  built: { headers: Record<string, string>; body: string },
  ...rest: unknown[]
) => Promise<unknown>;
/** The beginning of an answer, by the id that we gave the message. */
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
      const over = new AbortController();
      try {
        const asked = providers[message.environment].send(notification, message.token);
        const result = await Promise.race([asked, sleep(DEADLINE_MS, null, { signal: over.signal })]);
        const head = heads.get(message.recordId) ?? { status: null, retryAfter: null, apnsId: null };
        return apnsVerdict({ ...head, ...saidOf(result?.failed[0]) });
      } finally {
        over.abort();
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
    // It would send again by itself, and what we keep of each attempt would be untrue.
    connectionRetryLimit: 0,
    requestTimeout: TIMEOUT_MS,
    ...(ca === undefined ? {} : { ca: [Buffer.from(ca)] }),
  });
  const { client } = provider as unknown as { client: { request: Ask } };
  const ask = client.request.bind(client);
  client.request = (session, _authority, built, ...rest) =>
    ask(watched(session, built.headers['apns-id'] ?? '', heads), HOSTS[environment], built, ...rest);
  return provider;
}

/** The same session; what an answer begins with is noted. */
function watched(session: Pick<ClientHttp2Session, 'request'>, id: string, heads: Heads) {
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

/** What a failure says in its body, or why there was no answer. */
function saidOf(failure: ResponseFailure | undefined): Pick<ApnsAnswer, 'reason' | 'timestamp'> {
  const { response, error } = (failure ?? {}) as {
    response?: { reason?: unknown; timestamp?: unknown };
    error?: Error & { cause?: () => (Error & { code?: unknown }) | undefined };
  };
  if (response) return { reason: response.reason, timestamp: response.timestamp };
  return { reason: error?.cause?.()?.code ?? error?.message };
}

function notificationOf(topic: string, message: PushMessage): Notification | null {
  const { title, body, badge, data } = message;
  const payload = fitting({ title, body }, (alert) => ({ aps: { alert, badge, sound: 'default' }, ...data }));
  if (payload === null) return null;
  return new Notification({
    rawPayload: JSON.parse(payload),
    id: message.recordId,
    topic,
    pushType: 'alert',
    collapseId: message.collapseId,
    expiry: Math.floor(Date.now() / 1000) + KEPT_SECONDS,
  });
}
