/** Push to Android devices: FCM HTTP v1, with access tokens of a service account (RFC 7523). */
import { JWT } from 'google-auth-library';
import { z } from 'zod';
import { fcmVerdict } from './fcmAnswers.js';
import { fitPayload } from './fitPayload.js';
import type { PushAdapter, PushMessage, Verdict } from './port.js';
import { credentialsRefused, isTemporary, refused, retryAfter, retryLater, wordOr } from './verdicts.js';

export interface FcmSettings {
  account: { project_id: string; client_email: string; private_key: string };
  url: string;
  tokenUrl: string;
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 65_536;
/** The time to live of a push: one day. */
const TTL = '86400s';

export function fcm(settings: FcmSettings): PushAdapter {
  const address = `${settings.url.replace(/\/$/, '')}/v1/projects/${settings.account.project_id}/messages:send`;
  let account = accountOf(settings);
  return {
    async send(message) {
      const payload = payloadOf(message);
      if (payload === null) return refused('payload_too_large');
      const verdict = await sendPayload(account, address, payload);
      // The credentials were refused: drop the access token, which would otherwise be used until it expires.
      if (verdict.next.do === 'pause_gateway') account = accountOf(settings);
      return verdict;
    },
    close: () => undefined,
  };
}

async function sendPayload(account: JWT, address: string, payload: string): Promise<Verdict> {
  let token: string | null | undefined;
  try {
    ({ token } = await account.getAccessToken());
  } catch (error) {
    return tokenVerdict(error);
  }
  if (!token) return credentialsRefused('no_access_token');
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: payload,
      // A redirect would send the access token to another address.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { status, headers } = response;
    return fcmVerdict({ status, body: await read(response), retryAfter: headers.get('retry-after') });
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: unknown } };
    return retryLater(name === 'TimeoutError' ? 'timeout' : wordOr(cause?.code, 'no_answer'));
  }
}

/** Returns the JSON of the body; undefined if there is none or it is incomplete. Then only the status counts. */
async function read({ body }: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      size += chunk.length;
      if (size > MAX_RESPONSE_BYTES) return undefined;
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

const TokenFailure = z.object({
  response: z.object({
    status: z.number(),
    headers: z.instanceof(Headers).optional(),
    data: z.object({ error: z.string() }).optional().catch(undefined),
  }),
});

/**
 * Translates a failure of the token endpoint (RFC 6749, 5.2). A refusal counts as refused credentials; without a
 * response the push is retried.
 */
function tokenVerdict(error: unknown): Verdict {
  const { response } = TokenFailure.safeParse(error).data ?? {};
  if (!response) return retryLater('no_answer_for_token');
  const code = wordOr(response.data?.error, `token_http_${response.status}`);
  const later = retryAfter(response.headers?.get('retry-after') ?? null);
  return isTemporary(response.status) ? retryLater(code, later) : credentialsRefused(code);
}

function accountOf({ account, tokenUrl }: FcmSettings): JWT {
  const { client_email: email, private_key: key } = account;
  const client = new JWT({
    email,
    key,
    scopes: [SCOPE],
    transporterOptions: { timeout: TIMEOUT_MS, redirect: 'error', fetchImplementation: fetch },
  });
  client.transporter.interceptors.request.add({
    // Changes the library's requests for access tokens: sends them to the configured address instead of the library's
    // fixed one, and turns off the library's retries.
    resolved: async (request) => {
      delete request.retryConfig;
      return Object.assign(request, { url: new URL(tokenUrl) });
    },
  });
  return client;
}

function payloadOf({ token, title, body, badge, data, collapseId }: PushMessage): string | null {
  return fitPayload({ title, body }, (notification) => ({
    message: {
      token,
      notification,
      data,
      android: {
        collapse_key: collapseId,
        priority: 'HIGH',
        ttl: TTL,
        // A notification with the same tag replaces the one that is shown.
        notification: { tag: collapseId, notification_count: badge },
      },
    },
  }));
}
