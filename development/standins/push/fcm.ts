/** Firebase Cloud Messaging: the HTTP v1 API with its errors, and the token endpoint. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import { listen, type Listening } from '../kit/listen.js';
import { AccessTokens } from './accessTokens.js';
import type { ServiceAccount } from './credentials.js';
import { type Fault, refusalOf } from './faults.js';
import { MAX_PAYLOAD_BYTES, type Standin } from './standin.js';

export interface FcmOptions {
  port: number;
  host: string;
  account: ServiceAccount;
  log: (line: string) => void;
}

const Text = z.strictObject({ title: z.string().optional(), body: z.string().optional() });
const Message = z.strictObject({
  token: z.string(),
  notification: Text.optional(),
  data: z.record(z.string(), z.string()).default({}),
  android: z
    .strictObject({
      collapse_key: z.string().optional(),
      priority: z.enum(['NORMAL', 'HIGH']).optional(),
      ttl: z
        .string()
        .regex(/^\d+(\.\d+)?s$/)
        .optional(),
      notification: z.looseObject({ tag: z.string().optional(), notification_count: z.int().optional() }).optional(),
    })
    .default({}),
});
const Body = z.strictObject({ message: Message, validate_only: z.boolean().optional() });
type Message = z.output<typeof Message>;

/** Starts the FCM server. Resolves when it listens. */
export function serveFcm(standin: Standin, options: FcmOptions): Promise<Listening> {
  const tokens = new AccessTokens(options.account, standin.now);
  return listen(options.port, options.host, (exchange) => answer(standin, options, tokens, exchange), options.log);
}

async function answer(
  standin: Standin,
  { account }: FcmOptions,
  tokens: AccessTokens,
  exchange: Exchange,
): Promise<Answer | null | undefined> {
  const text = await exchange.text();
  if (exchange.method === 'POST' && exchange.url.pathname === '/token') {
    const fault = standin.faults.useForTokens();
    if (fault?.kind === 'token_unavailable') return jsonAnswer(503, { error: 'temporarily_unavailable' });
    if (fault) return jsonAnswer(400, { error: 'invalid_grant', error_description: 'Injected fault.' });
    return tokens.redeem(new URLSearchParams(text));
  }
  const project = /^\/v1\/projects\/([^/]+)\/messages:send$/.exec(exchange.url.pathname)?.[1];
  if (exchange.method !== 'POST' || project === undefined) return status(404, 'NOT_FOUND');
  if (!tokens.isValid(exchange.header('authorization'))) return status(401, 'UNAUTHENTICATED');
  if (project !== account.project_id) return status(403, 'PERMISSION_DENIED');
  return send(standin, project, text, exchange);
}

async function send(standin: Standin, project: string, text: string, exchange: Exchange) {
  const parsed = Body.safeParse(jsonIn(text));
  const token = parsed.data?.message.token ?? '';
  const collapseId = parsed.data?.message.android.collapse_key ?? null;
  const note = (answered: number | null, reason: string | null) =>
    standin.requests.add({
      platform: 'android',
      environment: 'production',
      token,
      id: null,
      collapse_id: collapseId,
      status: answered,
      reason,
    });
  const fault = standin.faults.useForMessage('android', token);
  if (fault?.kind === 'hold') await standin.faults.hold();
  if (fault?.kind === 'hang') {
    note(null, 'hang');
    await exchange.closed;
    return null;
  }
  if (fault?.kind === 'drop_before' || fault?.kind === 'goaway') {
    note(null, fault.kind);
    return null;
  }
  const tooLarge = Buffer.byteLength(text) > MAX_PAYLOAD_BYTES;
  const refusal =
    (fault && injectedRefusal(fault)) ?? (parsed.success && !tooLarge ? deviceRefusal(standin, token) : badRequest());
  if (refusal) {
    note(refusal.status, reasonIn(refusal));
    return refusal;
  }
  const id = `projects/${project}/messages/0:${Date.now()}%${randomBytes(8).toString('hex')}`;
  storeArrival(standin, parsed.data?.message as Message, id);
  note(fault?.kind === 'drop_after' ? null : 200, null);
  return fault?.kind === 'drop_after' ? null : jsonAnswer(200, { name: id });
}

function storeArrival({ phones }: Standin, { token, notification, data, android }: Message, id: string): void {
  phones.arrive({
    platform: 'android',
    environment: 'production',
    token,
    id,
    collapse_id: android.notification?.tag ?? android.collapse_key ?? null,
    title: notification?.title ?? '',
    body: notification?.body ?? '',
    badge: android.notification?.notification_count ?? null,
    data,
  });
}

/** Checks the format of the token and whether the app is still installed. */
function deviceRefusal({ phones }: Standin, token: string): Answer | null {
  const phone = phones.find(token);
  if (!/^[\w:-]{20,}$/.test(token) || (phone && phone.platform !== 'android'))
    return status(400, 'INVALID_ARGUMENT', [fcmError('INVALID_ARGUMENT')]);
  return phone?.removed_at ? status(404, 'NOT_FOUND', [fcmError('UNREGISTERED')]) : null;
}

function injectedRefusal(fault: Fault): Answer | undefined {
  const refusal = refusalOf(fault, 'android');
  if (!refusal) return undefined;
  const { code = 'UNKNOWN', details } = refusal;
  const about = { fcm_error: [fcmError(code)], bad_request: [BAD_REQUEST] };
  const answered = status(
    refusal.status,
    details === 'fcm_error' ? (NAMES[refusal.status] ?? code) : code,
    details && about[details],
  );
  const seconds = fault.retry_after_seconds;
  if (seconds !== undefined) answered.headers['Retry-After'] = String(seconds);
  return answered;
}

/**
 * Status names of google.rpc.Code by HTTP status. They are used in error responses whose details contain FCM's own
 * error code.
 */
const NAMES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
};

const fcmError = (errorCode: string) => ({
  '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError',
  errorCode,
});
const BAD_REQUEST = {
  '@type': 'type.googleapis.com/google.rpc.BadRequest',
  fieldViolations: [{ field: 'message', description: 'Invalid value.' }],
};
const badRequest = (): Answer => status(400, 'INVALID_ARGUMENT', [BAD_REQUEST]);

/** Returns a google.rpc.Status in the format of Google's APIs. */
const status = (code: number, name: string, details: unknown[] = []): Answer =>
  jsonAnswer(code, { error: { code, message: `${name}.`, status: name, details } });

const reasonIn = ({ body }: Answer): string => (JSON.parse(body) as { error: { status: string } }).error.status;

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
